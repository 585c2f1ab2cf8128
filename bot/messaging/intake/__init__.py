"""How a message comes in: recorded, judged, handed to its channel."""
