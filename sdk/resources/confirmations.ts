import type {
  ConfirmationListQuery,
  ConfirmationOutcome,
  ConfirmationsAnswerSchema,
} from "../../protocol/confirmations/contract.ts";
import type { MessageFormat } from "../../protocol/dialects/dialects.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import type { ConfirmationIn, FormOption } from "./message-forms.ts";
import { postTo } from "../transport/write-requests.ts";

export type ConfirmationFilter<Format extends MessageFormat = "agentscope"> = Omit<
  ConfirmationListQuery,
  "limit" | "page" | "format"
> &
  ListQuery &
  FormOption<Format>;

/** Calls of the tenant that wait for a confirmation or an external result. */
export interface Confirmations {
  /** Oldest first. */
  list<Format extends MessageFormat = "agentscope">(
    filter?: ConfirmationFilter<Format>,
    options?: RequestOptions,
  ): Paged<ConfirmationIn<Format>>;
  /** Posts up to 100 answers; returns one outcome for each, in the same order. */
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
