// Starts the provider that sends audio back, and the relay object between it and a client: each in a process of its own.
import { bundleService } from "../runtime/bundle-service.ts";
import { startWorkerd } from "../runtime/start-workerd.ts";

export interface Relay {
  readonly pid: number;
  readonly url: string;
  readonly providerUrl: string;
  stop(): Promise<void>;
}

export async function startRelay(): Promise<Relay> {
  const [echo, relay] = await Promise.all([
    bundleService("echo", "worker/echo.ts"),
    bundleService("relay", "worker/relay.ts"),
  ]);
  const provider = await startWorkerd([{ ...echo, isPublic: true }]);
  try {
    const floor = await startWorkerd([
      {
        ...relay,
        objects: ["Relay"],
        bindings: [{ name: "RELAY", type: "objects", className: "Relay" }],
        isPublic: true,
      },
    ]);
    const providerUrl = provider.urlOf("echo");
    return {
      pid: floor.pid,
      url: `${floor.urlOf("relay")}/?provider=${encodeURIComponent(providerUrl)}`,
      providerUrl,
      async stop() {
        await Promise.all([floor.stop(), provider.stop()]);
      },
    };
  } catch (error) {
    await provider.stop();
    throw error;
  }
}
