import { tightenPermission } from "../../agent/hooks/middleware.ts";
import type { PermissionSettings } from "../../agent/permission/check-call.ts";
import { openMiddleware } from "../../tools/hook-runner.ts";
import type { SessionInit } from "../api/session-api.ts";
import { permissionSettings } from "./permission-settings.ts";
import { registeredHooks } from "./registered-hooks.ts";

/** The permission of a call that is really made: the rules, and the deployment's middleware around each decision. */
export function hookedPermission(
  { agent, hooks }: Pick<SessionInit, "agent" | "hooks">,
  session: Parameters<typeof permissionSettings>[1],
): PermissionSettings {
  const settings = permissionSettings({ agent }, session);
  const middleware = openMiddleware(
    registeredHooks({ agent, hooks }).map(({ definition }) => definition),
  );
  if (!middleware.some(({ on_check_permission }) => on_check_permission)) return settings;
  return {
    ...settings,
    tighten: (call, decided) => tightenPermission(middleware, call, decided),
  };
}
