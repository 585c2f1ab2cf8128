"""Spans as the bytes of OTLP, by the messages that OpenTelemetry publishes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import (
    ExportTraceServiceRequest,
    ExportTraceServiceResponse,
)
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, InstrumentationScope, KeyValue
from opentelemetry.proto.resource.v1.resource_pb2 import Resource
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, ScopeSpans, Status
from opentelemetry.proto.trace.v1.trace_pb2 import Span as WireSpan

from adapters.otel.semconv import CONVENTIONS
from adapters.otel.span import Attribute, Span

SCOPE = "glassmind"
_NANOSECONDS = 1_000_000
_ERROR = Status(code=Status.STATUS_CODE_ERROR)
_KNOWN = 8_192
"""How many numbers are kept as they are written: small ones come again and again."""


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
    end, attributes = int(span.end * _NANOSECONDS), b"".join(_attributes(span.attributes))
    bare = WireSpan(
        trace_id=span.trace,
        span_id=span.id,
        parent_span_id=span.parent,
        name=span.name,
        kind=span.kind.value,  # type: ignore[arg-type]
        start_time_unix_nano=int(span.start * _NANOSECONDS),
        end_time_unix_nano=end,
        status=_ERROR if span.is_error else None,
    )
    event = (
        WireSpan.Event(name=span.event, time_unix_nano=end, attributes=_pairs(span.attributes)) if span.event else None
    )
    told = _EVENT + _sized(bytes(event.SerializeToString())) if event is not None else b""
    return bytes(bare.SerializeToString()) + attributes + told


def _attributes(pairs: Iterable[tuple[str, Attribute]]) -> Iterator[bytes]:
    for name, value in pairs:
        if value is not None and value != "" and value != ():
            yield _attribute(name, value() if callable(value) else value)


def _pairs(pairs: Iterable[tuple[str, Attribute]]) -> list[KeyValue]:
    shown = ((name, value() if callable(value) else value) for name, value in pairs)
    return [_pair(name, value) for name, value in shown if value is not None and value != "" and value != ()]


def _attribute(name: str, value: str | int | float | tuple[str, ...]) -> bytes:
    if isinstance(value, str):
        # most of them are texts: by hand in 1 µs, by way of the message's class in 3
        text = _TEXT + _sized(value.encode(errors="replace"))
        return _ATTRIBUTE + _sized(_key(name) + _VALUE + _sized(text))
    if isinstance(value, float):
        return _ATTRIBUTE + _sized(bytes(_pair(name, value).SerializeToString()))
    return _known(name, value)


@lru_cache(_KNOWN)
def _known(name: str, value: int | tuple[str, ...]) -> bytes:
    return _ATTRIBUTE + _sized(bytes(_pair(name, value).SerializeToString()))


@cache
def _key(name: str) -> bytes:
    return bytes(KeyValue(key=name).SerializeToString())


def _pair(name: str, value: str | int | float | tuple[str, ...]) -> KeyValue:
    match value:
        case str():
            return KeyValue(key=name, value=AnyValue(string_value=value))
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
    """Put its length before a message, seven bits a byte."""
    left, size = len(body), bytearray()
    if left < len(_SHORT):
        return _SHORT[left] + body
    while left > 127:
        size.append(left & 127 | 128)
        left >>= 7
    size.append(left)
    return bytes(size) + body


_SHORT = tuple(bytes([size]) for size in range(128))
_RESOURCE = _tag(ExportTraceServiceRequest.RESOURCE_SPANS_FIELD_NUMBER)
_SCOPE = _tag(ResourceSpans.SCOPE_SPANS_FIELD_NUMBER)
_SPAN = _tag(ScopeSpans.SPANS_FIELD_NUMBER)
_VALUE, _TEXT = _tag(KeyValue.VALUE_FIELD_NUMBER), _tag(AnyValue.STRING_VALUE_FIELD_NUMBER)
_ATTRIBUTE, _EVENT = _tag(WireSpan.ATTRIBUTES_FIELD_NUMBER), _tag(WireSpan.EVENTS_FIELD_NUMBER)
