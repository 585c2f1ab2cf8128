"""Spans as the bytes of OTLP, by the messages that OpenTelemetry publishes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from struct import Struct

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Status
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

from adapters.otel.semconv import CONVENTIONS, FEW_VALUES
from adapters.otel.span import SPAN_BYTES, TRACE_BYTES, Attribute, Span, SpanKind

SCOPE = "glassmind"
_NANOSECONDS = 1_000_000
_ERROR = Status(code=Status.STATUS_CODE_ERROR)
_KNOWN = 8_192
"""How many beginnings are kept as they are written: those of texts of the same length come again and again."""


def encode(spans: Sequence[Span], resource: Sequence[tuple[str, str]], version: str) -> bytes:
    """Write a batch; what people said is made into texts here."""
    # messages that follow each other in bytes are merged by whoever reads them: that is how the format is made
    scope = ScopeSpans(scope=InstrumentationScope(name=SCOPE, version=version), schema_url=CONVENTIONS)
    written = b"".join([_SPAN + _sized(_written(span)) for span in spans])
    whole = ResourceSpans(
        resource=Resource(attributes=[_pair(name, value) for name, value in resource]), schema_url=CONVENTIONS
    )
    body = bytes(whole.SerializeToString()) + _SCOPE + _sized(bytes(scope.SerializeToString()) + written)
    return _RESOURCE + _sized(body)


def rejected(answer: bytes) -> int:
    """Return how many spans of a batch a collector did not take; 0 where its answer says nothing of it."""
    try:
        return int(ExportTraceServiceResponse.FromString(answer).partial_success.rejected_spans)
    except DecodeError:
        return 0


def _written(span: Span) -> bytes:
    """Write a span. Most of one is short texts and numbers: by hand that takes a third of what the classes take."""
    end, attributes = int(span.end * _NANOSECONDS), b"".join(_attributes(span.attributes))
    event = b""
    if span.event:
        told = WireSpan.Event(name=span.event, time_unix_nano=end, attributes=_pairs(span.attributes))
        event = _EVENT + _sized(bytes(told.SerializeToString()))
    return b"".join(
        (
            _TRACE_ID, span.trace, _SPAN_ID, span.id, *((_PARENT_ID, span.parent) if span.parent else ()),
            _opening(span.name, span.kind, is_error=span.is_error),
            _TIMES.pack(_BEGIN, int(span.start * _NANOSECONDS), _END, end), attributes, event,
        )
    )  # fmt: skip


@lru_cache(_KNOWN)
def _opening(name: str, kind: SpanKind, *, is_error: bool) -> bytes:
    """Return what many spans have in common."""
    bare = WireSpan(name=name, kind=kind.value, status=_ERROR if is_error else None)  # type: ignore[arg-type]
    return bytes(bare.SerializeToString())


def _attributes(pairs: Iterable[tuple[str, Attribute]]) -> list[bytes]:
    return [
        _again(name, value) if name in FEW_VALUES else _attribute(name, value() if callable(value) else value)
        for name, value in pairs
        if value is not None and value != "" and value != ()
    ]


def _pairs(pairs: Iterable[tuple[str, Attribute]]) -> list[KeyValue]:
    shown = ((name, value() if callable(value) else value) for name, value in pairs)
    return [_pair(name, value) for name, value in shown if value is not None and value != "" and value != ()]


def _attribute(name: str, value: str | int | float | tuple[str, ...]) -> bytes:
    if isinstance(value, str):
        text = value.encode("utf-8", "replace")
        return _before_text(name, len(text)) + text
    if isinstance(value, float):
        return _before_value(name, _DOUBLE.size) + _DOUBLE.pack(_DOUBLE_TAG, value)
    if isinstance(value, int):
        number = _NUMBER + _varint(value & _UINT64)
        return _before_value(name, len(number)) + number
    several = b"".join([_ITEM + _sized(_TEXT + _sized(one.encode("utf-8", "replace"))) for one in value])
    array = _ARRAY + _sized(several)
    return _before_value(name, len(array)) + array


@lru_cache(_KNOWN)
def _again(name: str, value: str | int | float | tuple[str, ...]) -> bytes:
    return _attribute(name, value)


@lru_cache(_KNOWN)
def _before_text(name: str, size: int) -> bytes:
    """Return what stands before a text of so many bytes."""
    before = _TEXT + _varint(size)
    return _before_value(name, len(before) + size) + before


@lru_cache(_KNOWN)
def _before_value(name: str, size: int) -> bytes:
    """Return what stands before a value of so many bytes."""
    before = bytes(KeyValue(key=name).SerializeToString()) + _VALUE + _varint(size)
    return _ATTRIBUTE + _varint(len(before) + size) + before


def _pair(name: str, value: str | int | float | tuple[str, ...]) -> KeyValue:
    match value:
        case str():
            return KeyValue(key=name, value=AnyValue(string_value=value.encode("utf-8", "replace").decode()))
        case int():
            return KeyValue(key=name, value=AnyValue(int_value=value))
        case float():
            return KeyValue(key=name, value=AnyValue(double_value=value))
        case _:
            several = [AnyValue(string_value=one) for one in value]
            return KeyValue(key=name, value=AnyValue(array_value=ArrayValue(values=several)))


def _tag(field: int) -> bytes:
    """Return what stands before a field that is a message."""
    return bytes([field << 3 | 2])


def _sized(body: bytes) -> bytes:
    """Put its length before a message."""
    return _varint(len(body)) + body


def _varint(number: int) -> bytes:
    """Write a number, seven bits a byte, the lowest first."""
    if number < len(_SHORT):
        return _SHORT[number]
    found = bytearray()
    while number > 127:
        found.append(number & 127 | 128)
        number >>= 7
    found.append(number)
    return bytes(found)


_SHORT = tuple(bytes([size]) if size < 128 else bytes([size & 127 | 128, size >> 7]) for size in range(2_048))
_UINT64 = 2**64 - 1
_RESOURCE = _tag(ExportTraceServiceRequest.RESOURCE_SPANS_FIELD_NUMBER)
_SCOPE = _tag(ResourceSpans.SCOPE_SPANS_FIELD_NUMBER)
_SPAN = _tag(ScopeSpans.SPANS_FIELD_NUMBER)
_VALUE, _TEXT = _tag(KeyValue.VALUE_FIELD_NUMBER), _tag(AnyValue.STRING_VALUE_FIELD_NUMBER)
_ITEM, _ARRAY = _tag(ArrayValue.VALUES_FIELD_NUMBER), _tag(AnyValue.ARRAY_VALUE_FIELD_NUMBER)
_NUMBER, _DOUBLE_TAG = bytes([AnyValue.INT_VALUE_FIELD_NUMBER << 3]), AnyValue.DOUBLE_VALUE_FIELD_NUMBER << 3 | 1
_DOUBLE, _TIMES = Struct("<Bd"), Struct("<BQBQ")
_TRACE_ID = _tag(WireSpan.TRACE_ID_FIELD_NUMBER) + _SHORT[TRACE_BYTES]
_SPAN_ID = _tag(WireSpan.SPAN_ID_FIELD_NUMBER) + _SHORT[SPAN_BYTES]
_PARENT_ID = _tag(WireSpan.PARENT_SPAN_ID_FIELD_NUMBER) + _SHORT[SPAN_BYTES]
_BEGIN, _END = (
    number << 3 | 1 for number in (WireSpan.START_TIME_UNIX_NANO_FIELD_NUMBER, WireSpan.END_TIME_UNIX_NANO_FIELD_NUMBER)
)
_ATTRIBUTE, _EVENT = _tag(WireSpan.ATTRIBUTES_FIELD_NUMBER), _tag(WireSpan.EVENTS_FIELD_NUMBER)
