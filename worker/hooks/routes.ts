import {
  HookRemovalQuerySchema,
  SessionHooksWriteSchema,
  type WrittenSessionHooks,
} from "../../protocol/hooks/contract.ts";
import { WriteQuerySchema } from "../../protocol/schemas/write-query.ts";
import { tenantStorage } from "../../storage/tenants/tenant-storage.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { audited } from "../audit/audit.ts";
import { unwrap } from "../http-error.ts";
import { pathId } from "../middleware/check-path.ts";
import { tenantOf } from "../principal.ts";
import { checkAddresses } from "../requests/check-addresses.ts";
import { checkCodeHooks } from "./check-code-hooks.ts";
import { checkCredentials } from "../requests/check-credentials.ts";
import { readBody } from "../requests/read-body.ts";
import { readQuery } from "../requests/read-query.ts";
import { wantedVersions } from "../requests/wanted-versions.ts";
import { actOnSession, tryActOnSession } from "../sessions/act-on-session.ts";

const readHooks: RouteHandler = async (context) =>
  show(context, await actOnSession(context, "readHooks"));

/** The list as a whole, so that the order in which hooks run is always the one that was asked for. */
const writeHooks: RouteHandler = async (context) => {
  const { validate_only, strict: is_strict } = readQuery(context, WriteQuerySchema);
  const if_version = wantedVersions(context.req.header("If-Match"));
  const { hooks } = await readBody(context, SessionHooksWriteSchema);
  checkCodeHooks({ hooks });
  checkAddresses({ hooks }, context.env);
  const { credentials } = tenantStorage(context.env.DB, tenantOf(context));
  await checkCredentials({ hooks }, credentials);
  if (validate_only || is_strict) {
    const check = { hooks, if_version, is_strict };
    const checked = await actOnSession(context, "checkHooks", check);
    if (validate_only) return show(context, checked);
  }
  const before = await actOnSession(context, "readHooks");
  const act = {
    action: "session.hooks_changed",
    target: pathId(context, "session_id"),
    before: { hooks: before.hooks },
    after: { hooks },
  } as const;
  const written = await audited(
    context,
    act,
    () => tryActOnSession(context, "writeHooks", { hooks, if_version }),
    ({ version }) => version !== before.version,
  );
  return show(context, unwrap(written));
};

/** The audit has the list that was read before; which hook goes is decided by the session's object. */
const removeHook: RouteHandler = async (context) => {
  const name = pathId(context, "hook_name");
  const { point } = readQuery(context, HookRemovalQuerySchema);
  const if_version = wantedVersions(context.req.header("If-Match"));
  const { hooks } = await actOnSession(context, "readHooks");
  const isRemoved = (hook: (typeof hooks)[number]) =>
    hook.name === name && (point === undefined || hook.point === point);
  const act = {
    action: "session.hooks_changed",
    target: pathId(context, "session_id"),
    before: { hooks },
    after: { hooks: hooks.filter((hook) => !isRemoved(hook)) },
  } as const;
  const removed = await audited(context, act, () =>
    tryActOnSession(context, "removeHook", { name, point, if_version }),
  );
  return show(context, unwrap(removed));
};

function show(context: AppContext, shown: WrittenSessionHooks): Response {
  return context.json(shown, 200, { ETag: `"${shown.version}"` });
}

export const hookRoutes = { readHooks, writeHooks, removeHook };
