// The floor of a voice connection: an object that passes frames between a client's socket and a provider's, and reads none.
import { DurableObject } from "cloudflare:workers";

interface RelayEnv {
  readonly RELAY: DurableObjectNamespace<Relay>;
}

export class Relay extends DurableObject {
  /** `?provider=<url>`. */
  override async fetch(request: Request): Promise<Response> {
    const provider = new URL(request.url).searchParams.get("provider") ?? "";
    const { webSocket } = await fetch(provider, { headers: { upgrade: "websocket" } });
    if (!webSocket) return new Response(null, { status: 502 });
    const { 0: client, 1: socket } = new WebSocketPair();
    pass(socket, webSocket);
    pass(webSocket, socket);
    return new Response(null, { status: 101, webSocket: client });
  }
}

function pass(from: WebSocket, to: WebSocket): void {
  from.binaryType = "arraybuffer";
  from.accept();
  from.addEventListener("message", ({ data }) => to.send(data));
  from.addEventListener("close", () => to.close());
}

export default {
  async fetch(request, env): Promise<Response> {
    return env.RELAY.get(env.RELAY.newUniqueId()).fetch(request);
  },
} satisfies ExportedHandler<RelayEnv>;
