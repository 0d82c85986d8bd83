// The browser of a worker of the suite, and its pages: a new page takes more processor time than most tests do in it, so
// that a test is given one that an earlier test has left, in a profile that is empty again.
import { chromium, type Browser, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

import { findChromium } from "../../../examples/ag-ui/find-chromium.ts";
import { HANG_LIMITS } from "../../support/hang-limits.ts";

/** The browser ends with the worker. */
let running: Browser | null = null;
const left: { readonly page: Page; readonly bypassCSP: boolean }[] = [];
/** Whether profiles that are not left are closed at the end of the test that runs. */
let endsProfiles = false;
/** Pages with a clock, a device or a network of their own. */
const changed = new WeakSet<Page>();

/** The browser of this worker, whose start takes a second of processor time. Profiles of a test's own end with the test. */
export async function launch(): Promise<Browser> {
  if (!running?.isConnected()) {
    left.length = 0;
    running = await chromium.launch({
      executablePath: findChromium() ?? undefined,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
    });
  }
  const browser = running;
  if (endsProfiles) return browser;
  endsProfiles = true;
  // First of the test's handlers, so that it runs last.
  onTestFinished(async () => {
    endsProfiles = false;
    const kept = new Set(left.map(({ page }) => page.context()));
    const others = browser.contexts().filter((profile) => !kept.has(profile));
    await Promise.all(others.map((profile) => profile.close()));
  });
  return browser;
}

/** A page in a profile that has nothing: the one that was left last. It is left to the next test when this one ends. */
export async function takePage(
  browser: Browser,
  { width, bypassCSP }: { readonly width: number; readonly bypassCSP: boolean },
): Promise<Page> {
  const place = left.findLastIndex((one) => one.bypassCSP === bypassCSP && !one.page.isClosed());
  const [found] = place === -1 ? [] : left.splice(place, 1);
  const page = found?.page ?? (await (await browser.newContext({ bypassCSP })).newPage());
  await page.setViewportSize({ width, height: 800 });
  onTestFinished(async () => {
    if (!changed.has(page) && (await isEmptied(page))) left.push({ page, bypassCSP });
  });
  return page;
}

/** Says that the page is no other test's: what the test does to it cannot be undone. */
export function spoil(page: Page): void {
  changed.add(page);
}

/** @returns false for one whose platform has ended, or that never was at one. */
function isEmptied(page: Page): Promise<boolean> {
  if (page.context().pages().length !== 1) return Promise.resolve(false);
  return empty(page).then(
    () => true,
    () => false,
  );
}

async function empty(page: Page): Promise<void> {
  const context = page.context();
  for (const event of ["console", "pageerror", "request", "response", "dialog"] as const) {
    page.removeAllListeners(event);
  }
  // A page may ask whether it may be left.
  page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
  page.setDefaultTimeout(HANG_LIMITS.expect.poll.timeout);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await context.unrouteAll({ behavior: "ignoreErrors" });
  await context.setOffline(false);
  // Of the same origin: for another one, the browser would start a process.
  await page.goto(new URL("/healthz", page.url()).href);
  page.removeAllListeners("dialog");
  await context.clearPermissions();
  await page.emulateMedia({ colorScheme: null, reducedMotion: null });
  // Cookies and the storage of the tab, too.
  const devtools = await context.newCDPSession(page);
  await devtools.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" });
  await devtools.detach();
}
