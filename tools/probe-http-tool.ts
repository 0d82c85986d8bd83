// Asks a tool's server whether it is there, without running the tool: OPTIONS to the tool's address, or GET to its
// `check_url`. Used by the check of an agent.
import type { StopSignal } from "../agent/ports.ts";
import type { FailureKind } from "../protocol/diagnostics/contract.ts";
import { failureKindOfError, failureKindOfStatus } from "../outgoing/failure-kind.ts";
import { OutgoingRefused, type OutgoingFetch } from "../outgoing/outgoing.ts";
import type { SecretSource } from "../outgoing/secret-source.ts";
import { targetHeaders, type SignedTarget } from "./signed-request.ts";

export interface ToolProbe {
  readonly status: "ok" | "warning" | "failed";
  readonly method: "OPTIONS" | "GET";
  readonly address: string;
  readonly http_status: number | null;
  /** Null when nothing is wrong. */
  readonly kind: FailureKind | null;
  /** The finding, as a sentence. It holds nothing that the server has said. */
  readonly note: string;
}

/** Statuses of a server that does not know OPTIONS; a POST may be answered all the same. */
const KNOWS_NO_OPTIONS: ReadonlySet<number> = new Set([400, 404, 405, 406, 415, 422, 501]);

/**
 * The secrets of the tool are sent as with a call, each to its hosts alone. The response's body is not read. Contract:
 * never throws; after `stop` it ends soon.
 */
export async function probeHttpTool(
  tool: SignedTarget & { readonly check_url?: string | undefined },
  {
    outgoing,
    secrets,
    stop,
    of = "tool",
  }: {
    readonly outgoing: OutgoingFetch;
    readonly secrets: SecretSource;
    readonly stop: StopSignal;
    /** The word for what has the definition. */
    readonly of?: "tool" | "code_agent";
  },
): Promise<ToolProbe> {
  const { check_url } = tool;
  const method = check_url === undefined ? "OPTIONS" : "GET";
  const address = check_url ?? tool.url;
  const tried = { method, address } as const;
  const made = targetHeaders(tool, { address, secrets, of });
  if (!made.ok) {
    return { ...tried, status: "failed", http_status: null, kind: "setup", note: made.reason };
  }
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  stop.addEventListener("abort", abort, { once: true });
  if (stop.aborted) abort();
  try {
    const { headers } = made;
    const response = await outgoing(address, { method, headers, signal: controller.signal });
    await response.body?.cancel().catch(() => undefined);
    return { ...tried, ...judge(response.status, method, of) };
  } catch (error) {
    const kind = stop.aborted ? "timeout" : failureKindOfError(error, false);
    const note = OutgoingRefused.isInstance(error)
      ? `The address was refused: ${error.message}.`
      : "The server did not answer.";
    return { ...tried, status: "failed", http_status: null, kind, note };
  } finally {
    stop.removeEventListener("abort", abort);
  }
}

function judge(
  http_status: number,
  method: ToolProbe["method"],
  of: "tool" | "code_agent",
): Pick<ToolProbe, "status" | "http_status" | "kind" | "note"> {
  if (http_status >= 200 && http_status < 300) {
    return { status: "ok", http_status, kind: null, note: "The server answered." };
  }
  const kind = failureKindOfStatus(http_status);
  const note = `The server answered ${http_status}.`;
  if (http_status === 401 || http_status === 403 || http_status === 429) {
    return { status: "warning", http_status, kind, note };
  }
  if (method === "OPTIONS") {
    if (KNOWS_NO_OPTIONS.has(http_status)) {
      const known = `${note} It was reached, and does not know OPTIONS; whether it takes calls is not known.`;
      return { status: "ok", http_status, kind: null, note: known };
    }
    if (kind === "provider_error") {
      const advice = of === "tool" ? ": give the tool a check_url." : ".";
      const unsure = `${note} It was reached, and may fail for OPTIONS alone${advice}`;
      return { status: "warning", http_status, kind, note: unsure };
    }
  }
  return { status: "failed", http_status, kind, note };
}
