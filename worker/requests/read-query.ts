import type * as z from "zod";

import type { PageQuery } from "../../protocol/schemas/common.ts";
import { PageQuerySchema } from "../../protocol/schemas/common.ts";
import type { IdPrefix } from "../../protocol/ids.ts";
import type { ListRequest } from "../../storage/statements/page.ts";
import { decodePageToken } from "../../storage/statements/page.ts";
import type { AppContext } from "../app-env.ts";
import { checkFields } from "./check-fields.ts";
import { fieldError, HttpError } from "../http-error.ts";

/** @throws HttpError 400 with pointers such as `#/query/limit`. */
export function readQuery<Schema extends z.ZodType>(
  context: AppContext,
  schema: Schema,
): z.output<Schema> {
  const checked = checkFields(schema, context.req.query(), ["query"]);
  if (checked.ok) return checked.value;
  const { errors } = checked;
  throw new HttpError("validation_failed", "the query does not fit; `errors` says where", {
    errors,
  });
}

/** The page of a D1 list. */
export function toListRequest(prefix: IdPrefix, { page, limit }: PageQuery): ListRequest {
  if (page === undefined) return { limit };
  const before = decodePageToken(prefix, page);
  if (before !== null) return { limit, before };
  throw badPageToken();
}

export function badPageToken(): HttpError {
  return fieldError("validation_failed", "#/query/page", "this is not a `next_page` of this list");
}

export function readListQuery(context: AppContext, prefix: IdPrefix): ListRequest {
  return toListRequest(prefix, readQuery(context, PageQuerySchema));
}
