import {
  definitionWarnings,
  type WarnedDefinition,
} from "../../agent/warnings/definition-warnings.ts";
import { refuseSilent } from "../../agent/warnings/refuse-silent.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import type { Warning } from "../../protocol/warning.ts";
import type { AppContext } from "../app-env.ts";
import { unwrap } from "../http-error.ts";
import { keptServers } from "../mcp/kept-servers.ts";

/**
 * The parts of a definition that say nothing, as far as the kept catalogues tell. No server is asked. Catalogues that were
 * listed with an end user's grant are not read.
 */
export async function agentWarnings(
  context: AppContext,
  definition: WarnedDefinition,
): Promise<Warning[]> {
  const servers = await keptServers(context, definition.tools);
  return definitionWarnings(definition, servers).slice(0, MAX_FIELD_ERRORS);
}

/** As {@link agentWarnings}. @throws HttpError with them as errors, where the request is `strict`. */
export async function warningsOfWrite(
  context: AppContext,
  definition: WarnedDefinition,
  isStrict: boolean,
): Promise<{ readonly warnings?: Warning[] }> {
  const warnings = await agentWarnings(context, definition);
  if (warnings.length === 0) return {};
  return isStrict ? unwrap(refuseSilent(warnings)) : { warnings };
}
