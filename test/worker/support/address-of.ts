import { PATH_PARAMETERS, type Route } from "../../../protocol/routes.ts";

const MISSING = "0".repeat(26);

/** The path of a row with ids that have the right form and do not exist. */
export function addressOf(route: Route): string {
  return route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const form = PATH_PARAMETERS[name];
    return form === "number" ? "1" : `${form}_${MISSING}`;
  });
}
