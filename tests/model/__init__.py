"""A real model behind the whole bot: `make test-model MODEL_URL=... MODEL_NAME=...`, see `__main__`.

Nothing of it runs in `make test` but the plays against a loopback server that plays a model (`test_plays`).
"""
