import type { Page } from "playwright-core";

import { spoil } from "./browser-pages.ts";

/** A device that checks its person, such as a phone. */
export async function addDevice(page: Page): Promise<void> {
  spoil(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
