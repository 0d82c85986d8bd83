import type { Page } from "../../protocol/schemas/common.ts";
import type { WriteAudit } from "../audit/audit-storage.ts";
import type { KeepAnswer } from "../requests/idempotency-storage.ts";
import type { SealedSecret } from "../secrets/credential-cipher.ts";
import type { ListRequest } from "../statements/page.ts";

/** The new secret of an endpoint. */
interface SecretRotation {
  readonly sealed: SealedSecret;
  /** Until this time the replaced secret is valid too. */
  readonly oldSecretExpiresAt: string;
  readonly rotatedAt: string;
}

/** A tenant's endpoints of one kind, each with a secret of its own. Nothing here decrypts a secret. */
export interface SignedEndpointStorage<Endpoint> {
  insert(
    endpoint: Endpoint,
    sealed: SealedSecret,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<void>;
  list(request: ListRequest): Promise<Page<Endpoint>>;
  read(endpointId: string): Promise<Endpoint | null>;
  /** Null when there is no such endpoint. */
  rotate(
    endpointId: string,
    rotation: SecretRotation,
    keep?: KeepAnswer,
    audit?: WriteAudit,
  ): Promise<Endpoint | null>;
  /** Deletes it with all that was stored for it. Returns whether it existed. */
  remove(endpointId: string, audit?: WriteAudit): Promise<boolean>;
}
