import type {
  ConsoleLinkCreateSchema,
  CreatedConsoleLink,
} from "../../protocol/console/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt } from "../transport/write-requests.ts";

export interface ConsoleLinks {
  /**
   * A link that signs one browser in to the console, once and within ten minutes. The answer is the only one that
   * contains it.
   */
  create(
    link?: InputOf<typeof ConsoleLinkCreateSchema>,
    options?: RequestOptions,
  ): Promise<CreatedConsoleLink>;
}

export function consoleLinksOf(transport: Transport): ConsoleLinks {
  return {
    create: (link, options) => createSecretAt(transport, ["console-links"], link, options),
  };
}
