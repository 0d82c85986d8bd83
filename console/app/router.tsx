// The router of one console, made from the list of pages.
import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";

import type { Access, ConsoleKind } from "../access/access.ts";
import { LoadingState } from "../components/loading-state.tsx";
import { NotFoundPage } from "../components/not-found-page.tsx";
import { PAGES } from "../pages/pages.ts";
import { pageComponent } from "./page-component.tsx";
import { PageError } from "./page-error.tsx";
import { Root } from "./root.tsx";
import { Shell } from "./shell.tsx";
import { MemberPage, OperatorEntryPage } from "./member-page.tsx";
import { ProviderReturnPage } from "./provider-return-page.tsx";
import { SignInPage } from "./sign-in-page.tsx";

type Search = Readonly<Record<string, string>>;

export function makeRouter(kind: ConsoleKind, access: Access) {
  const pages = PAGES[kind];
  const [first] = pages;
  const root = createRootRoute({ component: Root, notFoundComponent: NotFoundPage });
  const signIn = createRoute({
    getParentRoute: () => root,
    path: "/sign-in",
    component: kind === "operator" ? OperatorEntryPage : SignInPage,
  });
  const member = createRoute({
    getParentRoute: () => root,
    path: "/t/$tenantId",
    component: MemberPage,
  });
  const providerReturn = createRoute({
    getParentRoute: () => root,
    path: "/sign-in/$providerId/callback",
    component: ProviderReturnPage,
  });
  const shell = createRoute({ getParentRoute: () => root, id: "shell", component: Shell });
  const start = createRoute({
    getParentRoute: () => shell,
    path: "/",
    beforeLoad: () => {
      redirect({ to: first?.path ?? "/sign-in", replace: true, throw: true });
    },
  });
  const routes = pages.map((page) =>
    createRoute({
      getParentRoute: () => shell,
      path: page.path,
      component: pageComponent(page),
    }),
  );
  const unknown = createRoute({ getParentRoute: () => shell, path: "$", component: NotFoundPage });
  return createRouter({
    routeTree: root.addChildren([
      signIn,
      providerReturn,
      ...(kind === "tenant" ? [member] : []),
      shell.addChildren([start, ...routes, unknown]),
    ]),
    basepath: access.path,
    defaultPreload: "intent",
    defaultPendingComponent: LoadingState,
    defaultErrorComponent: PageError,
    defaultNotFoundComponent: NotFoundPage,
    scrollRestoration: true,
    // Plain text: a filter is a string, also where it looks like a number.
    parseSearch: (text): Search => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(
        Object.entries(search).filter(
          (entry): entry is [string, string] => typeof entry[1] === "string" && entry[1] !== "",
        ),
      ).toString();
      return text === "" ? "" : `?${text}`;
    },
  });
}
