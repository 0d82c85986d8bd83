import { lazyRouteComponent } from "@tanstack/react-router";
import type { ComponentType } from "react";

import { type Right, useMay } from "../access/access-context.ts";
import type { ConsolePage } from "../pages/console-page.ts";
import { NoAccessPage } from "./no-access-page.tsx";

/** The component of a page. Its code is loaded when a person whose scopes allow it opens the page. */
export function pageComponent({ scope, load }: Pick<ConsolePage, "scope" | "load">) {
  const Page = lazyRouteComponent(async () => ({ default: await load() }));
  if (scope === undefined) return Page;
  const Guarded = () => <Guard scope={scope} Page={Page} />;
  return Object.assign(Guarded, { preload: Page.preload });
}

interface GuardProps {
  readonly scope: Right;
  readonly Page: ComponentType;
}

function Guard({ scope, Page }: GuardProps) {
  return useMay(scope) ? <Page /> : <NoAccessPage scope={scope} />;
}
