import type {
  InvitedOperatorMember,
  OperatorMember,
  OperatorMemberCreateSchema,
  OperatorMemberUpdateSchema,
  RemovedOperatorMember,
} from "../../protocol/members/operator-contract.ts";
import type { RequestOptions } from "../transport/api-request.ts";
import type { InputOf } from "../transport/input-of.ts";
import type { ListQuery, Paged } from "../transport/paged.ts";
import type { Transport } from "../transport/transport.ts";
import { createSecretAt, updateAt } from "../transport/write-requests.ts";

/** The operator's own people, who sign in to the operator's console; requires the operator's key. */
export interface OperatorMembers {
  /** The answer is the only one that contains the link. */
  invite(
    member: InputOf<typeof OperatorMemberCreateSchema>,
    options?: RequestOptions,
  ): Promise<InvitedOperatorMember>;
  list(query?: ListQuery, options?: RequestOptions): Paged<OperatorMember>;
  get(id: string, options?: RequestOptions): Promise<OperatorMember>;
  update(
    id: string,
    changes: InputOf<typeof OperatorMemberUpdateSchema>,
    options?: RequestOptions,
  ): Promise<OperatorMember>;
  /** Ends the person's passkeys and console sessions; the answer is the only one that contains the new link. */
  renewLink(id: string, options?: RequestOptions): Promise<InvitedOperatorMember>;
  /** Returns what the person has made, which stays. */
  remove(id: string, options?: RequestOptions): Promise<RemovedOperatorMember>;
}

export function operatorMembersOf(transport: Transport): OperatorMembers {
  const at = (...more: readonly string[]) => ["operator", "members", ...more];
  return {
    invite: (member, options) => createSecretAt(transport, at(), member, options),
    list: (query, options) => transport.list(at(), query, options),
    get: (id, options) => transport.get(at(id), options),
    update: (id, changes, options) => updateAt(transport, at(id), changes, options),
    renewLink: (id, options) => createSecretAt(transport, at(id, "link"), {}, options),
    remove: (id, options) => transport.call({ ...options, method: "DELETE", path: at(id) }),
  };
}
