### Welche Tool-Aufrufe und welche Arbeit eines Durchlaufs hängen, lange dauern, scheiterten oder abgelehnt wurden.

a-call = ein Aufruf
