// The two bindings of A2A: what a method has made, and its errors, as JSON-RPC or as HTTP+JSON.
import { A2A_ERRORS, a2aErrorDetails, type A2aFailure } from "../../protocol/a2a/errors.ts";
import { A2A_MEDIA_TYPE } from "../../protocol/a2a/headers.ts";
import type { A2aRpcId } from "../../protocol/a2a/read-rpc.ts";

export type A2aBinding =
  /** The id is null where that of the request could not be read. */
  { readonly kind: "rpc"; readonly id: A2aRpcId | null } | { readonly kind: "rest" };

export function answerValue(binding: A2aBinding, value: object): Response {
  return new Response(JSON.stringify(bodyOf(binding, value)), {
    headers: { "Content-Type": contentTypeOf(binding) },
  });
}

export function answerFailure(
  binding: A2aBinding,
  failure: A2aFailure,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(failureBody(binding, failure)), {
    status: statusOf(binding, failure),
    headers: { ...headers, "Content-Type": contentTypeOf(binding) },
  });
}

/** The whole body of an answer. */
export function bodyOf(binding: A2aBinding, value: object): object {
  return binding.kind === "rpc" ? { jsonrpc: "2.0", id: binding.id, result: value } : value;
}

export function failureBody(binding: A2aBinding, failure: A2aFailure): object {
  const { code, status: own, grpc: ownGrpc } = A2A_ERRORS[failure.name];
  const { message, status = own, grpc = ownGrpc } = failure;
  const details = a2aErrorDetails(failure);
  return binding.kind === "rpc"
    ? { jsonrpc: "2.0", id: binding.id, error: { code, message, data: details } }
    : { error: { code: status, status: grpc, message, details } };
}

/** An error of JSON-RPC is an answer; what says when to come again, or that the platform fails, is told to HTTP too. */
function statusOf(binding: A2aBinding, { name, status }: A2aFailure): number {
  const known = status ?? A2A_ERRORS[name].status;
  return binding.kind === "rest" || known >= 429 ? known : 200;
}

export function contentTypeOf({ kind }: A2aBinding): string {
  return kind === "rpc" ? "application/json" : A2A_MEDIA_TYPE;
}
