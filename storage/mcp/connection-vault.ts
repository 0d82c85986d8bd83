// Encrypts what is secret of a connection: with the tenant's data key, as credentials are.
import { credentialStorage } from "../credentials/credential-storage.ts";
import { readTenantKey } from "../credentials/tenant-key-storage.ts";
import {
  createTenantKey,
  openSecret,
  sealSecret,
  type SealedSecret,
} from "../secrets/credential-cipher.ts";
import { masterKeyOf, type MasterKeyBindings } from "../secrets/deployment-secrets.ts";
import { openDatabase } from "../statements/database.ts";

export type VaultBindings = MasterKeyBindings & Pick<Env, "DB">;

/** The part of the row that a secret belongs to: it cannot be read in the place of another one. */
type Label = `${string}:grant` | `${string}:attempt` | `${string}:client`;

export class ConnectionVault {
  readonly #env: VaultBindings;
  readonly #tenantId: string;

  constructor(env: VaultBindings, tenantId: string) {
    this.#env = env;
    this.#tenantId = tenantId;
  }

  /** @throws when the master key does not fit. */
  async seal(value: object, label: Label): Promise<SealedSecret> {
    const tenantId = this.#tenantId;
    const masterKey = masterKeyOf(this.#env);
    const known = await readTenantKey(this.#env.DB, tenantId);
    const fresh = known ?? (await createTenantKey(masterKey.current, tenantId));
    const storage = credentialStorage(openDatabase(this.#env.DB), tenantId);
    const tenantKey = known ?? (await storage.keepTenantKey(fresh));
    return sealSecret(JSON.stringify(value), label.replace(":", "/"), {
      masterKey,
      tenantKey,
      tenantId,
    });
  }

  /** @throws when it was encrypted for another place, or the master key does not fit. */
  async open<Value>(sealed: SealedSecret, label: Label): Promise<Value> {
    const tenantId = this.#tenantId;
    const tenantKey = await readTenantKey(this.#env.DB, tenantId);
    if (tenantKey === null) throw new Error("the tenant has no data key");
    const seal = { masterKey: masterKeyOf(this.#env), tenantKey, tenantId };
    return JSON.parse(await openSecret(sealed, label.replace(":", "/"), seal)) as Value;
  }
}
