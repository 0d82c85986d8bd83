import type {
  InvitedMember,
  Member,
  MemberCreateSchema,
  MemberUpdateSchema,
  RemovedMember,
} from "../../protocol/members/contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, updateAt } from "../transport/write-requests.ts";

/** The tenant: required with the operator's key, optional with a tenant's. */
interface MemberTenant {
  readonly tenant_id?: string;
}

/** The people of a tenant, who sign in to its console. */
export interface Members {
  /** The answer is the only one that contains the link. */
  invite(
    member: InputOf<typeof MemberCreateSchema>,
    options?: RequestOptions,
  ): Promise<InvitedMember>;
  list(query?: ListQuery & MemberTenant, options?: RequestOptions): Paged<Member>;
  get(id: string, query?: MemberTenant, options?: RequestOptions): Promise<Member>;
  update(
    id: string,
    changes: InputOf<typeof MemberUpdateSchema>,
    options?: RequestOptions,
  ): Promise<Member>;
  /** Ends the member's passkeys and console sessions; the answer is the only one that contains the new link. */
  renewLink(id: string, tenant?: MemberTenant, options?: RequestOptions): Promise<InvitedMember>;
  /** Returns what the member has made, which stays. */
  remove(id: string, query?: MemberTenant, options?: RequestOptions): Promise<RemovedMember>;
}

export function membersOf(transport: Transport): Members {
  return {
    invite: (member, options) => createSecretAt(transport, ["members"], member, options),
    list: (query, options) => transport.list(["members"], query, options),
    get: (id, query, options) => transport.get(["members", id], options, query),
    update: (id, changes, options) => updateAt(transport, ["members", id], changes, options),
    renewLink: (id, tenant = {}, options) =>
      createSecretAt(transport, ["members", id, "link"], tenant, options),
    remove: (id, query, options) =>
      transport.call({ ...options, method: "DELETE", path: ["members", id], query }),
  };
}
