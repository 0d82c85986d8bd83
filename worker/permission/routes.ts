import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import type { Page } from "../../protocol/schemas/common.ts";
import { RulesCreateSchema, RuleTestSchema } from "../../protocol/permission/contract.ts";
import { WriteQuerySchema } from "../../protocol/schemas/write-query.ts";
import type { SessionRule } from "../../protocol/permission/contract.ts";
import { decodeNumberToken, toPage } from "../../storage/statements/page.ts";
import type { RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { unwrap } from "../http-error.ts";
import { unwrapOnce } from "../sessions/idempotent-session.ts";
import { pathId } from "../middleware/check-path.ts";
import { readBody } from "../requests/read-body.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";
import { actOnSession, tryActOnSession } from "../sessions/act-on-session.ts";
import { asWarned, readJudged, warningsOfRules } from "../sessions/session-warnings.ts";

const listPermissionRules: RouteHandler = async (context) => {
  const { page, limit } = readQuery(context, PageQuerySchema);
  const skip = page === undefined ? 0 : decodeNumberToken(page);
  if (skip === null) throw badPageToken();
  return context.json(pageAt(await actOnSession(context, "listRules"), skip, limit));
};

/** The number of rules is limited, so the object returns all of them and the page is cut here. */
function pageAt(rules: readonly SessionRule[], skip: number, limit: number): Page<SessionRule> {
  const rest = rules.slice(skip, skip + limit + 1);
  return toPage(rest, limit, (_, index) => String(skip + index + 1));
}

/** Warnings go with the act, so that a repeated request is answered, or let through, as the first one was. */
const createPermissionRules: RouteHandler = async (context) => {
  const { validate_only, strict: is_strict } = readQuery(context, WriteQuerySchema);
  const { rules } = await readBody(context, RulesCreateSchema);
  const session = await readJudged(context);
  const warnings = await warningsOfRules(context, session, { rules, pointer: "#/rules" });
  if (validate_only) {
    await actOnSession(context, "checkRules", rules);
    return context.json({ data: rules, ...asWarned(warnings, is_strict) });
  }
  const act = {
    action: "session.rules_added",
    target: pathId(context, "session_id"),
    after: { rules },
  } as const;
  const known = new Set(session.rules.map(({ id }) => id));
  const added = await audited(
    context,
    act,
    () => tryActOnSession(context, "writeRules", { rules, warnings, is_strict }),
    // A rule equal to an existing one is that rule.
    ({ data }) => data.some(({ id }) => !known.has(id)),
  );
  return context.json(unwrapOnce(context, added), 201);
};

const deletePermissionRule: RouteHandler = async (context) => {
  const ruleId = pathId(context, "rule_id");
  const before = (await actOnSession(context, "listRules")).find(({ id }) => id === ruleId);
  const act = {
    action: "session.rule_removed",
    target: pathId(context, "session_id"),
    before,
  } as const;
  unwrap(await audited(context, act, () => tryActOnSession(context, "removeRule", ruleId)));
  return context.body(null, 204);
};

const testPermissionRules: RouteHandler = async (context) =>
  context.json(await actOnSession(context, "testCall", await readBody(context, RuleTestSchema)));

export const permissionRuleRoutes = {
  listPermissionRules,
  createPermissionRules,
  deletePermissionRule,
  testPermissionRules,
};
