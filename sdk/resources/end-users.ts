import type { EndUserRemoval } from "../../protocol/end-users/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { Transport } from "../transport/transport.ts";

/** The people who talk to a tenant's agents, each by the tenant's own id. */
export interface EndUsers {
  /** Erases all that there is of an end user, in the background. The answer is the same for one that is not known. */
  delete(endUserId: string, options?: RequestOptions): Promise<EndUserRemoval>;
  /**
   * One page of all that there is of an end user, as lines of JSON (`EndUserExportLine`), to stream to a file. The last
   * line is of type `end` and names the next page; without it the page was cut off. Not retried.
   */
  export(
    endUserId: string,
    query?: { readonly page?: string },
    options?: RequestOptions,
  ): Promise<Response>;
}

export function endUsersOf(transport: Transport): EndUsers {
  return {
    delete: (endUserId, options) =>
      transport.call({ ...options, method: "DELETE", path: ["end-users", endUserId] }),
    export: async (endUserId, query, options) => {
      const path = ["end-users", endUserId, "export"];
      return (await transport.open({ ...options, method: "GET", path, query })).response;
    },
  };
}
