// The device's signals about itself: that the app is in front again, and whether there is a network.

/** Each function gets a listener, and returns a function that removes it. */
export interface SessionSignals {
  /** Called when the app or page comes to the front. Default: the page becomes visible, or is shown from the cache. */
  readonly onForeground?: (listener: () => void) => () => void;
  /** Called when the network comes or goes. Default: the events `online` and `offline`. */
  readonly onNetworkChange?: (listener: (isOnline: boolean) => void) => () => void;
}

/** The part of a page that is used; React Native and servers have none of it. */
interface PageTarget {
  addEventListener?(type: string, listener: PageListener): void;
  removeEventListener?(type: string, listener: PageListener): void;
}

/** `persisted`: of a page that comes back from the browser's cache. */
type PageListener = (event: { readonly persisted?: boolean }) => void;

interface PageGlobals extends PageTarget {
  readonly document?: PageTarget & { readonly visibilityState?: string };
}

/** A browser's own signals; where there is no page they never come. */
export const PAGE_SIGNALS: Required<SessionSignals> = {
  onForeground: (listener) => {
    const page = globalThis as PageGlobals;
    const stops = [
      listen(page.document, "visibilitychange", () => {
        if (page.document?.visibilityState !== "hidden") listener();
      }),
      listen(page, "pageshow", ({ persisted }) => {
        if (persisted) listener();
      }),
    ];
    return () => stops.forEach((stop) => stop());
  },
  onNetworkChange: (listener) => {
    const page = globalThis as PageGlobals;
    const stops = [
      listen(page, "online", () => listener(true)),
      listen(page, "offline", () => listener(false)),
    ];
    return () => stops.forEach((stop) => stop());
  },
};

function listen(target: PageTarget | undefined, type: string, listener: PageListener): () => void {
  if (typeof target?.addEventListener !== "function") return () => undefined;
  target.addEventListener(type, listener);
  return () => target.removeEventListener?.(type, listener);
}
