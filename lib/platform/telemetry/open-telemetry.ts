import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import service from "@/package.json" with { type: "json" };
import type { StartSpan } from "./trace";

/**
 * Sends spans to the collector that the SDK's `OTEL_…` variables name. Returns the function that
 * starts spans and one that flushes the rest.
 */
export function openTelemetry(): { start: StartSpan; stop: () => Promise<void> } {
  // Not registered globally: Next would add spans with the paths of pages, whose IDs grant access.
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(
        resourceFromAttributes({
          "service.name": service.name,
          "service.version": service.version,
        }),
      )
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer(service.name, service.version);
  const start: StartSpan = ({ name, kind, parent, attributes }) => {
    const span = tracer.startSpan(name, { kind: KINDS[kind], attributes }, contextOf(parent));
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
      end(status) {
        if (status !== null) span.setAttribute("http.response.status_code", status);
        const failed = status === null || status >= (kind === "server" ? 500 : 400);
        if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
        span.end();
      },
    };
  };
  return { start, stop: () => provider.shutdown() };
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

function contextOf(traceparent: string | undefined) {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const [, traceId = "", spanId = "", flags = ""] = traceparent.split("-");
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
