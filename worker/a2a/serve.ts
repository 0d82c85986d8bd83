// Requests of both bindings, from the version that they speak to the answer.
import * as z from "zod";

import type { A2aFailure } from "../../protocol/a2a/errors.ts";
import { A2A_EXTENSION } from "../../protocol/a2a/extension.ts";
import { A2A_EXTENSIONS_HEADER, A2A_VERSION_HEADER } from "../../protocol/a2a/headers.ts";
import { MAX_A2A_HEADER_CHARACTERS } from "../../protocol/a2a/limits.ts";
import { readRpc } from "../../protocol/a2a/read-rpc.ts";
import { A2A_VERSION } from "../../protocol/a2a/wire.ts";
import { ERRORS } from "../../protocol/errors.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { quoteShort } from "../requests/quote-short.ts";
import { readBody } from "../requests/read-body.ts";
import { A2aError } from "./a2a-error.ts";
import { checkPage, findServedAgent } from "./a2a-call.ts";
import { answerFailure, type A2aBinding } from "./bindings.ts";
import { A2A_METHODS, isMethodName, type A2aMethodName } from "./methods.ts";
import { toFailure } from "./to-failure.ts";

/** The binding JSON-RPC: every method at one address. */
export async function serveRpc(context: AppContext): Promise<Response> {
  checkPage(context);
  const agent = await findServedAgent(context);
  const unread = { kind: "rpc", id: null } as const;
  return answering(context, unread, async () => {
    const request = readRpc(await readBody(context, z.unknown()));
    const binding = { kind: "rpc", id: request.id } as const;
    if (request.kind === "invalid") {
      return answerFailure(binding, { name: "invalid_request", message: request.problem });
    }
    return answering(context, binding, async () => {
      checkVersion(context);
      const { method, params } = request;
      if (!isMethodName(method)) {
        const message = `A2A ${A2A_VERSION} has no method ${quoteShort(method)}`;
        throw new A2aError({ name: "method_not_found", message });
      }
      return A2A_METHODS[method]({ context, agent, binding }, params);
    });
  });
}

/** The binding HTTP+JSON. @param read The request's parameters, from its path, query and body. */
export async function serveRest(
  context: AppContext,
  method: A2aMethodName,
  read: () => Promise<unknown>,
): Promise<Response> {
  checkPage(context);
  const agent = await findServedAgent(context);
  const binding = { kind: "rest" } as const;
  return answering(context, binding, async () => {
    checkVersion(context);
    return A2A_METHODS[method]({ context, agent, binding }, await read());
  });
}

/**
 * The answer of a method, or its error in the binding's form. Refusals of a credential, and of a body that is none, are
 * problems as everywhere.
 */
async function answering(
  context: AppContext,
  binding: A2aBinding,
  make: () => Promise<Response>,
): Promise<Response> {
  try {
    return named(context, await make());
  } catch (error) {
    if (error instanceof HttpError && isPlatforms(error)) throw error;
    const headers = error instanceof HttpError ? error.headers : {};
    return named(context, answerFailure(binding, toFailure(error, context), headers));
  }
}

const PLATFORMS: readonly number[] = [401, 403, 413, 415];

function isPlatforms({ refusal }: HttpError): boolean {
  return PLATFORMS.includes(ERRORS[refusal.code].status);
}

/** With the extensions that are used, of those that the client takes. */
function named(context: AppContext, response: Response): Response {
  const wanted = (context.req.header(A2A_EXTENSIONS_HEADER) ?? "")
    .slice(0, MAX_A2A_HEADER_CHARACTERS)
    .split(",")
    .some((uri) => uri.trim() === A2A_EXTENSION);
  if (wanted) response.headers.set(A2A_EXTENSIONS_HEADER, A2A_EXTENSION);
  return response;
}

/** An empty version is 0.3. Patches of a version say nothing. @throws A2aError for one that is not spoken. */
function checkVersion(context: AppContext): void {
  const { req } = context;
  const asked = req.header(A2A_VERSION_HEADER)?.trim() || req.query(A2A_VERSION_HEADER) || "0.3";
  if (/^1\.0(?:\.\d{1,4})?$/.test(asked)) return;
  const failure: A2aFailure = {
    name: "version_not_supported",
    message: `A2A ${asked.slice(0, 20)} is not spoken here; send the header ${A2A_VERSION_HEADER}: ${A2A_VERSION}`,
    metadata: { supportedVersions: A2A_VERSION },
  };
  throw new A2aError(failure);
}
