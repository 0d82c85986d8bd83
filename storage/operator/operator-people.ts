import type { OperatorRole } from "../../protocol/members/operator-roles.ts";
import { credentialStorage, type CredentialStorage } from "../credentials/credential-storage.ts";
import { memberStorage, type MemberStorage } from "../members/member-storage.ts";
import {
  signInProviderStorage,
  type SignInProviderStorage,
} from "../sign-in-providers/sign-in-provider-storage.ts";
import { openDatabase } from "../statements/database.ts";
import { OPERATOR_ROWS } from "../tables/row-owner.ts";

/** The operator's own people, in the tables of tenants' members, and how they sign in. */
interface OperatorPeople {
  readonly members: MemberStorage<OperatorRole>;
  readonly signInProviders: SignInProviderStorage;
  /** The data key of secrets that are the operator's own. */
  readonly keepDataKey: CredentialStorage["keepTenantKey"];
}

export function operatorPeople(binding: D1Database): OperatorPeople {
  const database = openDatabase(binding);
  const credentials = credentialStorage(database, OPERATOR_ROWS);
  return {
    members: memberStorage<OperatorRole>(database, OPERATOR_ROWS),
    signInProviders: signInProviderStorage(database, OPERATOR_ROWS),
    keepDataKey: (fresh) => credentials.keepTenantKey(fresh),
  };
}
