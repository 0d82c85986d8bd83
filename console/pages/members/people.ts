// The people of this console and the providers at which they sign in, a tenant's or the operator's, as the pages of both show
// them.
import type {
  Member,
  MemberRole,
  OperatorMember,
  OperatorRole,
  OperatorSignInProvider,
  Paged,
  RemovedMember,
  RemovedOperatorMember,
  Reprise,
  SignInProvider,
} from "../../../sdk/index.ts";
import { type Right, useAccess, useReprise } from "../../access/access-context.ts";
import { PAGE_ROWS } from "../../components/use-paged.ts";
import { OPERATOR_ROLES, ROLES, type RoleWords } from "./roles.ts";

export type Person = Member | OperatorMember;
export type InvitedPerson = Person & { readonly url: string };
export type RemovedPerson = RemovedMember | RemovedOperatorMember;
export type Provider = SignInProvider | OperatorSignInProvider;

interface NewPerson {
  readonly name: string;
  readonly email?: string;
  readonly role: string;
}

interface NewProvider {
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  /** A tenant's credential, or the operator's secret itself; empty for none. */
  readonly secret: string;
}

export interface People {
  readonly isOperators: boolean;
  readonly roles: RoleWords;
  /** Role that an invitation begins with. */
  readonly usualRole: string;
  /** Without it, nothing is changed here. */
  readonly write: Right;
  list(): Paged<Person>;
  invite(person: NewPerson): Promise<InvitedPerson>;
  update(id: string, change: Partial<NewPerson>): Promise<Person>;
  renewLink(id: string): Promise<InvitedPerson>;
  remove(id: string): Promise<RemovedPerson>;
  listProviders(): Paged<Provider>;
  addProvider(provider: NewProvider): Promise<Provider>;
  deleteProvider(id: string): Promise<Provider>;
}

export function usePeople(): People {
  const reprise = useReprise();
  return useAccess().path === "/operator" ? operatorsPeople(reprise) : tenantsPeople(reprise);
}

/** Roles come from a choice of those that the console's kind has. */
function tenantsPeople({ members, signInProviders }: Reprise): People {
  return {
    isOperators: false,
    roles: ROLES,
    usualRole: "approver",
    write: "members:write",
    list: () => members.list({ limit: PAGE_ROWS }),
    invite: (person) => members.invite({ ...person, role: person.role as MemberRole }),
    update: (id, { role, ...change }) =>
      members.update(id, { ...change, ...(role !== undefined && { role: role as MemberRole }) }),
    renewLink: (id) => members.renewLink(id),
    remove: (id) => members.remove(id),
    listProviders: () => signInProviders.list({ limit: PAGE_ROWS }),
    addProvider: ({ secret, ...provider }) =>
      signInProviders.create({ ...provider, credential_id: secret || null }),
    deleteProvider: (id) => signInProviders.delete(id),
  };
}

function operatorsPeople({ operatorMembers, operatorSignInProviders }: Reprise): People {
  return {
    isOperators: true,
    roles: OPERATOR_ROLES,
    usualRole: "support",
    write: "people:write",
    list: () => operatorMembers.list({ limit: PAGE_ROWS }),
    invite: (person) => operatorMembers.invite({ ...person, role: person.role as OperatorRole }),
    update: (id, { role, ...change }) =>
      operatorMembers.update(id, {
        ...change,
        ...(role !== undefined && { role: role as OperatorRole }),
      }),
    renewLink: (id) => operatorMembers.renewLink(id),
    remove: (id) => operatorMembers.remove(id),
    listProviders: () => operatorSignInProviders.list({ limit: PAGE_ROWS }),
    addProvider: ({ secret, ...provider }) =>
      operatorSignInProviders.create({
        ...provider,
        ...(secret !== "" && { client_secret: secret }),
      }),
    deleteProvider: (id) => operatorSignInProviders.delete(id),
  };
}
