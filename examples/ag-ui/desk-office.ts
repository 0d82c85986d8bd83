// Sets up everything behind the page: the shop's resources on the platform, its server with page and tools, and the
// tunnel.
import { Reprise } from "@reprise/sdk";

import { buildPage } from "./build-page.ts";
import { openShop, type Shop } from "./shop.ts";
import { startShopServer } from "./shop-server.ts";
import { ShopTools } from "./shop-tools.ts";
import { openTunnel, type Tunnel } from "./tunnel.ts";

export interface DeskOffice {
  readonly pageUrl: string;
  readonly shop: Shop;
  readonly tools: ShopTools;
  readonly tunnel: Tunnel;
  /** The page's settings; its platform URL leads through the tunnel. */
  readonly settings: {
    readonly baseUrl: string;
    readonly agentId: string;
    readonly sessionId: string;
  };
  /** Mints a client token for this session and the page's origin only. */
  readonly token: () => Promise<string>;
  close(): Promise<void>;
}

export interface OfficeOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
}

export async function openOffice({ baseUrl, apiKey }: OfficeOptions): Promise<DeskOffice> {
  const reprise = new Reprise({ apiKey, baseUrl });
  const page = await buildPage();
  const server = await startShopServer();
  const tunnel = await openTunnel(baseUrl);
  const closeServers = () => Promise.all([server.close(), tunnel.close()]);
  try {
    const shop = await openShop(reprise, server.url);
    const tools = new ShopTools((patch) => shop.session.sharedState.patch(patch));
    const settings = { baseUrl: tunnel.url, agentId: shop.agentId, sessionId: shop.session.id };
    const token = async () => {
      const verbs = ["read", "reply", "confirm", "edit", "tool_result"] as const;
      return (await shop.session.tokens.create({ verbs: [...verbs] })).token;
    };
    server.serve({
      "GET /": () => ({ body: page.html, type: "text/html" }),
      "GET /page.css": () => ({ body: page.css, type: "text/css" }),
      "GET /page.js": () => ({ body: page.script, type: "text/javascript" }),
      "GET /settings": () => ({ body: settings }),
      "GET /token": async () => ({ body: await token() }),
      "POST /tunnel": () => {
        tunnel.enter();
        return { body: "" };
      },
      "POST /tools/lookup_order": async (call) => ({
        body: await tools.lookUpOrder(call as never),
      }),
      "POST /tools/refund_order": async (call) => ({
        body: await tools.refundOrder(call as never),
      }),
    });
    return {
      pageUrl: `${server.url}/`,
      shop,
      tools,
      tunnel,
      settings,
      token,
      async close() {
        await shop.remove();
        await closeServers();
      },
    };
  } catch (error) {
    await closeServers();
    throw error;
  }
}
