import type * as z from "zod";

import type { ReplyModelOptions } from "../../protocol/models/model-options.ts";
import type { ReplyCreateSchema } from "../../protocol/replies/contract.ts";
import { HttpError } from "../http-error.ts";
import { verbMissing } from "./verb-missing.ts";
import type { Principal } from "../principal.ts";

type ReplyRequest = Pick<z.output<typeof ReplyCreateSchema>, "input" | "on_busy"> & {
  readonly model_options?: ReplyModelOptions;
};

/**
 * Refuses what a client token may not do when it starts a reply, though an API key may: sending messages of the
 * assistant, choosing how the models are called, which decides what a reply costs, and interrupting another reply
 * without the verb for it.
 * @throws HttpError 400 with a pointer to each such message and member, or 403 `verb_missing`.
 */
export function checkClientInput(
  principal: Principal,
  { input, on_busy, model_options = {} }: ReplyRequest,
): void {
  if (principal.kind !== "client_token" && principal.kind !== "end_user") return;
  if (on_busy === "interrupt" && !principal.verbs.includes("interrupt")) {
    throw verbMissing(["interrupt"]);
  }
  const items = Array.isArray(input) ? input : [input];
  const errors = items.flatMap((item, index) => {
    if (typeof item === "string" || !("role" in item) || item.role === "user") return [];
    const pointer = Array.isArray(input) ? `#/input/${index}/role` : "#/input/role";
    return [{ pointer, detail: "a client token's messages have the role user" }];
  });
  for (const member of Object.keys(model_options)) {
    errors.push({ pointer: `#/${member}`, detail: "only an API key says how models are called" });
  }
  if (errors.length === 0) return;
  throw new HttpError("validation_failed", "the body does not fit; `errors` says where", {
    errors,
  });
}
