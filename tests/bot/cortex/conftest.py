import importlib.util, sys, types
if importlib.util.find_spec("bot.cortex.report") is None:
    m = types.ModuleType("bot.cortex.report")
    def first_message(diagnosis, handle, viewer):
        f = diagnosis.findings[0] if diagnosis.findings else None
        return "\n".join([f.verdict if f else "✓ nothing is wrong", f"rules only, no model asked · {handle}", *(f.why if f else diagnosis.summary), *(f"{e.handle} {e.what}" for e in (f.evidence if f else ()))])
    def findings_text(findings, *a, **k):
        return "\n".join(f"{f.confidence.value}: ```\n{f.verdict}\n```" for f in findings)
    m.first_message, m.findings_text = first_message, findings_text
    sys.modules["bot.cortex.report"] = m
