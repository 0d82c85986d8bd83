import { existsSync } from "node:fs";

/** The shell without a window first: the same engine, and a page of it takes a third of the processor time. */
const PLACES = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

export const HOW_TO_INSTALL =
  'There is no Chromium on this machine: install one ("apt-get install chromium-headless-shell"), or name it in CHROMIUM.';

/** The environment variable CHROMIUM, else the usual paths; null when there is none. */
export function findChromium(): string | null {
  const { CHROMIUM } = process.env;
  const places = CHROMIUM ? [CHROMIUM] : PLACES;
  return places.find((place) => existsSync(place)) ?? null;
}
