// The beginning of an adapter of a realtime provider.
import type { VoiceModel } from "../../../agent/voice/voice-model.ts";
import type { OutgoingFetch } from "../../../outgoing/outgoing.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import type { RemoteRealtimeModel } from "../../../protocol/voice/realtime-models.ts";
import type { SocketLimits } from "./socket-limits.ts";

export interface RealtimeOptions<Provider extends RemoteRealtimeModel["provider"]> {
  readonly model: Extract<RemoteRealtimeModel, { provider: Provider }>;
  /** Of the agent; the provider's own when left out. */
  readonly truncation: VoiceModel["truncation"] | undefined;
  readonly outgoing: OutgoingFetch;
  readonly secrets: SecretSource;
  /** Other than {@link SOCKET_LIMITS}, for tests. */
  readonly limits?: Partial<SocketLimits>;
}
