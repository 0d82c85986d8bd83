import { KNOWN_MODELS } from "../../model/presets/known-models.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import { decodeNumberToken, toPage } from "../../storage/statements/page.ts";
import type { RouteHandler } from "../app-env.ts";
import { badPageToken, readQuery } from "../requests/read-query.ts";

/** The platform's facts about vendors' models; the same for all tenants. */
const listModels: RouteHandler = async (context) => {
  const { page, limit } = readQuery(context, PageQuerySchema);
  const skip = page === undefined ? 0 : decodeNumberToken(page);
  if (skip === null) throw badPageToken();
  const rows = KNOWN_MODELS.slice(skip, skip + limit + 1);
  return context.json(toPage(rows, limit, (_, index) => String(skip + index + 1)));
};

export const modelRoutes = { listModels };
