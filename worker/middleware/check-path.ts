import type { MiddlewareHandler } from "hono";

import { PATH_PARAMETERS } from "../../protocol/routes.ts";
import { isId } from "../../protocol/ids.ts";
import { MAX_END_USER_ID_CHARACTERS } from "../../protocol/end-users/limits.ts";
import { MAX_CALLBACK_TOKEN_CHARACTERS } from "../../protocol/inbound/limits.ts";
import { MAX_MESSAGE_ID_CHARACTERS } from "../../protocol/requests/limits.ts";
import type { AppContext, AppEnv } from "../app-env.ts";
import { HttpError } from "../http-error.ts";

/** Answers 404 for a malformed id without a lookup. */
export const checkPath: MiddlewareHandler<AppEnv> = async (context, next) => {
  const parameters: Record<string, string> = context.req.param();
  for (const [name, value] of Object.entries(parameters)) {
    if (!hasForm(PATH_PARAMETERS[name], withoutAct(context, name, value))) {
      throw new HttpError("not_found", `there is no such ${name.replace(/_(id|name)$/, "")}`);
    }
  }
  await next();
};

function hasForm(form: (typeof PATH_PARAMETERS)[string] | undefined, value: string): boolean {
  if (form === "number") return /^[1-9]\d{0,8}$/.test(value);
  if (form === "token") return value.length <= MAX_CALLBACK_TOKEN_CHARACTERS;
  if (form === "hash") return /^[0-9a-f]{64}$/.test(value);
  if (form === "chosen") return value.length <= MAX_END_USER_ID_CHARACTERS;
  if (form === "any") return value.length <= MAX_MESSAGE_ID_CHARACTERS;
  return form !== undefined && isId(form, value);
}

/** A number in the path, validated by {@link checkPath}. */
export function pathNumber(context: AppContext, name: string): number {
  return Number(pathId(context, name));
}

/** A path parameter, validated by {@link checkPath}. */
export function pathId(context: AppContext, name: string): string {
  const value = context.req.param(name);
  if (value === undefined) throw new Error(`the route has no parameter ${name}`);
  return withoutAct(context, name, value);
}

/** The parameter without the act that a path such as `/tasks/{id}:cancel` ends with. */
function withoutAct(context: AppContext, name: string, value: string): string {
  const { path } = context.get("route");
  const act = path.split(`{${name}}:`)[1];
  return act === undefined ? value : value.slice(0, -(act.length + 1));
}
