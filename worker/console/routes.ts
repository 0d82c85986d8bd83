import type { ConsoleLink, CreatedConsoleLink } from "../../protocol/console/contract.ts";
import { ConsoleLinkCreateSchema } from "../../protocol/console/contract.ts";
import { CONSOLE_KEPT_MS, CONSOLE_LINK_MS } from "../../protocol/keys/limits.ts";
import { consoleStorage } from "../../storage/console/console-storage.ts";
import { OPERATOR_ROWS } from "../../storage/tables/row-owner.ts";
import { hashConsoleSecret, makeConsoleSecret } from "../../storage/secrets/console-secret.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { auditFor } from "../audit/audit.ts";
import { grantScopes } from "../auth/grant-scopes.ts";
import { HttpError } from "../http-error.ts";
import { newId } from "../new-id.ts";
import type { Principal } from "../principal.ts";
import { answerStatement } from "../requests/keep-answer.ts";
import { readBody } from "../requests/read-body.ts";
import { publicOrigin } from "../requests/public-origin.ts";

/** A link for one sign-in to the console, with rights of the credential that makes it. */
const createConsoleLink: RouteHandler = async (context) => {
  const { scopes } = await readBody(context, ConsoleLinkCreateSchema);
  const maker = readMaker(context);
  const isOperator = maker.kind === "operator";
  const origin = publicOrigin(context);
  const nowMs = Date.now();
  const link: ConsoleLink = {
    id: newId("cse"),
    tenant_id: isOperator ? null : maker.tenantId,
    scopes: isOperator ? null : grantScopes(scopes, maker.scopes),
    created_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + CONSOLE_LINK_MS).toISOString(),
  };
  if (isOperator && scopes !== undefined) {
    throw new HttpError("validation_failed", "the operator's console has no scopes", {
      errors: [{ pointer: "#/scopes", detail: "leave it out: the operator has no scopes" }],
    });
  }
  const secret = makeConsoleSecret("link");
  const { expires_at, ...row } = link;
  await consoleStorage(context.env.DB).insertLink(
    {
      ...row,
      scopes: link.scopes && [...link.scopes],
      key_id: maker.bearer.id,
      link_hash: await hashConsoleSecret("link", secret, context.env.KEY_PEPPER),
      link_expires_at: expires_at,
    },
    {
      keep: answerStatement(context, { status: 201, body: link }),
      audit: auditFor(context, {
        action: "console_link.created",
        target: link.id,
        after: { scopes: link.scopes, expires_at },
        tenantId: link.tenant_id ?? OPERATOR_ROWS,
      }),
      endedBefore: new Date(nowMs - CONSOLE_KEPT_MS).toISOString(),
    },
  );
  const path = isOperator ? "/operator" : "/console";
  const created: CreatedConsoleLink = { ...link, url: `${origin}${path}/sign-in#${secret}` };
  return context.json(created, 201);
};

/** A console makes no links: else who has read a page's token once could sign in again and again. */
function readMaker(context: AppContext): Extract<Principal, { kind: "operator" | "tenant" }> {
  const principal = context.get("principal");
  const isKey = principal.kind === "tenant" || principal.kind === "operator";
  if (isKey && principal.consoleSessionId === undefined) return principal;
  throw new HttpError(
    "insufficient_scope",
    "a sign-in link is made with a key, not in the console",
  );
}

export const consoleLinkRoutes = { createConsoleLink };
