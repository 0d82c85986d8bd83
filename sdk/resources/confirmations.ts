import type {
  Confirmation,
  ConfirmationListQuery,
  ConfirmationOutcome,
  ConfirmationsAnswerSchema,
} from "../../protocol/api/confirmations.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { postTo } from "../transport/write-requests.ts";

export type ConfirmationFilter = Omit<ConfirmationListQuery, "limit" | "page"> & ListQuery;

/** What waits for somebody outside, across the tenant. */
export interface Confirmations {
  /** The oldest first. */
  list(filter?: ConfirmationFilter, options?: RequestOptions): Paged<Confirmation>;
  /** Up to 100 answers, each with an outcome of its own, in the order of the answers. */
  answer(
    answers: InputOf<typeof ConfirmationsAnswerSchema>["answers"],
    options?: RequestOptions,
  ): Promise<readonly ConfirmationOutcome[]>;
}

export function confirmationsOf(transport: Transport): Confirmations {
  const path = ["confirmations"];
  return {
    list: (filter, options) => transport.list(path, filter, options),
    answer: async (answers, options) =>
      (await postTo<{ data: ConfirmationOutcome[] }>(transport, path, { answers }, options)).data,
  };
}
