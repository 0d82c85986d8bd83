import {
  definitionWarnings,
  type KeptServer,
  type WarnedDefinition,
} from "../../agent/warnings/definition-warnings.ts";
import { MAX_FIELD_ERRORS } from "../../protocol/requests/limits.ts";
import type { Warning } from "../../protocol/warning.ts";
import { readMcpServers } from "../../storage/mcp/read-mcp-servers.ts";
import { openDatabase } from "../../storage/statements/database.ts";
import type { AppContext } from "../app-env.ts";
import { HttpError } from "../http-error.ts";
import { tenantOf } from "../principal.ts";

/**
 * The parts of a definition that say nothing, as far as the kept catalogues tell. No server is asked. Catalogues that were
 * listed with an end user's grant are not read.
 */
export async function agentWarnings(
  context: AppContext,
  definition: WarnedDefinition,
): Promise<Warning[]> {
  const ids = definition.tools.flatMap((tool) => (tool.type === "mcp" ? [tool.server_id] : []));
  const servers = ids.length > 0 ? await keptServers(context, ids) : new Map<string, KeptServer>();
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
  if (!isStrict) return { warnings };
  const detail = "the agent has parts that say nothing, which ?strict=true refuses; see `errors`";
  throw new HttpError("validation_failed", detail, { errors: warnings });
}

async function keptServers(
  context: AppContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeptServer>> {
  const database = openDatabase(context.env.DB);
  const { servers } = await readMcpServers(database, tenantOf(context), ids, null);
  return new Map(
    [...servers].map(([id, { server, catalogue }]) => {
      const isWhole = catalogue?.rest?.beyond === 0 && !catalogue.rest.has_more;
      const tools = isWhole ? (catalogue.tools?.map(({ name }) => name) ?? null) : null;
      return [id, { name: server.name, tools }];
    }),
  );
}
