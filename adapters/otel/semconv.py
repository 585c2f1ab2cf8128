"""The names of OpenTelemetry's conventions that we use: GenAI 0.1.0 with messaging and errors of 1.45.0, and our own.

GenAI: https://github.com/open-telemetry/semantic-conventions-genai/releases/tag/v0.1.0. All of it is "in development",
so that names may change with any release: they stand here alone, and `CONVENTIONS` goes out with every batch.
"""

from __future__ import annotations

CONVENTIONS = "https://opentelemetry.io/schemas/1.45.0"
GENAI_VERSION = "0.1.0"

OPERATION = "gen_ai.operation.name"
INVOKE_AGENT, CHAT, EXECUTE_TOOL = "invoke_agent", "chat", "execute_tool"
CREATE_MEMORY, UPDATE_MEMORY, DELETE_MEMORY = "create_memory", "update_memory", "delete_memory"
SEARCH_MEMORY = "search_memory"

AGENT_NAME = "gen_ai.agent.name"
CONVERSATION = "gen_ai.conversation.id"
PROVIDER = "gen_ai.provider.name"
REQUEST_MODEL = "gen_ai.request.model"
MAX_TOKENS = "gen_ai.request.max_tokens"
RESPONSE_MODEL = "gen_ai.response.model"
RESPONSE_ID = "gen_ai.response.id"
FINISH_REASONS = "gen_ai.response.finish_reasons"
FIRST_CHUNK = "gen_ai.response.time_to_first_chunk"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHED_TOKENS = "gen_ai.usage.cache_read.input_tokens"
WRITTEN_TOKENS = "gen_ai.usage.cache_creation.input_tokens"
REASONING_TOKENS = "gen_ai.usage.reasoning.output_tokens"
TOOL_NAME = "gen_ai.tool.name"
TOOL_TYPE = "gen_ai.tool.type"
MEMORY_COUNT = "gen_ai.memory.record.count"
EVALUATION_EVENT = "gen_ai.evaluation.result"
EVALUATION_NAME = "gen_ai.evaluation.name"
EVALUATION_LABEL = "gen_ai.evaluation.score.label"

# what people, models and tools say: each has a switch of its own
SYSTEM_INSTRUCTIONS = "gen_ai.system_instructions"
INPUT_MESSAGES = "gen_ai.input.messages"
OUTPUT_MESSAGES = "gen_ai.output.messages"
TOOL_DEFINITIONS = "gen_ai.tool.definitions"
TOOL_ARGUMENTS = "gen_ai.tool.call.arguments"
TOOL_RESULT = "gen_ai.tool.call.result"
MEMORY_RECORDS = "gen_ai.memory.records"
EVALUATION_EXPLANATION = "gen_ai.evaluation.explanation"

MESSAGING_SYSTEM = "messaging.system"
MESSAGING_OPERATION = "messaging.operation.name"
MESSAGING_TYPE = "messaging.operation.type"
MESSAGING_DESTINATION = "messaging.destination.name"
MESSAGING_ID = "messaging.message.id"
ERROR = "error.type"
STATUS_CODE = "http.response.status_code"

TURN, INBOUND, INBOUNDS, REQUEST = "glassmind.turn", "glassmind.inbound", "glassmind.inbounds", "glassmind.request"
CALL, MEMORY, DELIVERY = "glassmind.call", "glassmind.memory", "glassmind.delivery"
PROCESS, SESSION = "glassmind.process", "glassmind.session"
KIND, OUTCOME, CODE, ROUND, ROUNDS = (f"glassmind.{name}" for name in ("kind", "outcome", "code", "round", "rounds"))
ATTEMPT, ATTEMPTS, PART, STAGE = (f"glassmind.{name}" for name in ("attempt", "attempts", "part", "stage"))
CAUSE, CALLS, COST = "glassmind.cause", "glassmind.calls", "glassmind.cost_usd"
DIGEST, WIRE_SHA256, WIRE_BYTES = "glassmind.digest", "glassmind.wire_sha256", "glassmind.wire_bytes"
CONTEXT_TOKENS = "glassmind.context_tokens"
FEW_VALUES = frozenset(
    {
        OPERATION, AGENT_NAME, CONVERSATION, PROVIDER, REQUEST_MODEL, MAX_TOKENS, RESPONSE_MODEL, FINISH_REASONS,
        TOOL_NAME, TOOL_TYPE, MEMORY_COUNT, EVALUATION_NAME, EVALUATION_LABEL, MESSAGING_SYSTEM, MESSAGING_OPERATION,
        MESSAGING_TYPE, MESSAGING_DESTINATION, ERROR, STATUS_CODE, KIND, OUTCOME, CODE, ROUND, ROUNDS, ATTEMPT,
        ATTEMPTS, PART, STAGE, CAUSE, CALLS,
    }
)  # fmt: skip
"""Names whose values come again and again; what anybody said is none of them."""
