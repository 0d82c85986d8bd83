import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { SecretSource } from "../../outgoing/secret-source.ts";
import type { FailureKind } from "../../protocol/diagnostics/contract.ts";
import type { DeployedCard } from "./deployed-cards.ts";

export interface CardPorts {
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  /** Cards that definitions may name; those of the deployment when left out. */
  readonly deployedCards?: readonly DeployedCard[];
}

/** A failure's reason is a sentence of the platform's, without a word of the server. */
export interface CardFailure {
  readonly ok: false;
  readonly kind: FailureKind;
  readonly reason: string;
  readonly http_status?: number;
}

/** An unchecked card, as it was found. */
export type CardFound =
  | {
      readonly ok: true;
      readonly card: unknown;
      /** That of the address that it is from; null for one of the definition, the deployment or a registry. */
      readonly origin: string | null;
    }
  | CardFailure;
