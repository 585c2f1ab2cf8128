import pytest
from adapters.telegram import faults
from adapters.telegram.polling import Poller
from bot.messaging.outbox import OutboxSender
from tests.faults.telegram import play

def lost(m):
    m.setattr(faults, "_lost", lambda error: faults._Meaning("cut", uncertain=False))
def cursor(m):
    real = Poller._hand_over
    async def hand(self, batch, ears):
        last = max(u.get("update_id",0) for u in batch)
        if self._offset is None: self._offset = last
        class Deaf:
            def __getattr__(s, n): return getattr(ears, n)
            async def heard(s, b, c):
                import asyncio
                for _ in range(30): await asyncio.sleep(0)
                await ears.heard(b[:-1] if len(b) > 2 else b, c)
        await real(self, batch, Deaf())
    m.setattr(Poller, "_hand_over", hand)
def resend(m):
    from bot.domain.turn import OutboxState
    import bot.messaging.outbox as o
    m.setattr(o, "OutboxState", type("X", (), {"NEW": OutboxState.NEW, "SENDING": OutboxState.SENDING}))
    real = OutboxSender.recover
    async def recover(self, left):
        for row in await self._services.outbox.pending(): self.enqueue([row])
        return 0
    m.setattr(OutboxSender, "recover", recover)

@pytest.mark.parametrize("mutant", [lost, cursor, resend])
async def test_m(tmp_path, monkeypatch, mutant):
    mutant(monkeypatch)
    bad = []
    for seed in range(40):
        try: await play(seed, tmp_path)
        except AssertionError as e: bad.append((seed, str(e).splitlines()[0]))
    print(mutant.__name__, len(bad), bad[:5])
