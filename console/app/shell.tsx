import { Dialog } from "@base-ui/react/dialog";
import { Outlet, useRouterState } from "@tanstack/react-router";
import { Menu, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";

import { rightsOf, useAccess, useAccessState } from "../access/access-context.ts";
import { LoadingState } from "../components/loading-state.tsx";
import { TourPanel } from "../components/tour/tour-panel.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { Navigation } from "./navigation.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";

/** Navigation, header and the page: for a signed-in person alone. */
export function Shell() {
  const access = useAccess();
  const state = useAccessState();
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    if (state.kind !== "unknown") return;
    access.token().catch((error: unknown) => setFailure(String(error)));
  }, [access, state.kind]);

  if (state.kind === "signed_out") return <SignedOutPage {...state} />;
  if (state.kind === "unknown") {
    if (failure === null) return <LoadingState />;
    return <SignedOutPage reason={null} detail={`The platform cannot be reached: ${failure}`} />;
  }
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <aside className="shell-side">
        <Brand />
        <Navigation rights={rightsOf(state.session)} />
      </aside>
      <header className="shell-header">
        <Drawer rights={rightsOf(state.session)} />
        <p className="shell-tenant">
          <span className="visually-hidden">Signed in to </span>
          {state.session.tenant?.name ?? "Operator"}
        </p>
        <AccountMenu session={state.session} />
      </header>
      <Page />
      {state.session.tenant && <TourPanel tenantId={state.session.tenant.id} />}
    </div>
  );
}

function Brand() {
  return (
    <p className="shell-brand">
      <img src="/console/icon.svg" alt="" width={24} height={24} />
      Reprise
    </p>
  );
}

/** The page, which gets the focus when another one is opened, so that a screen reader begins there. */
function Page() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(path);
  useEffect(() => {
    if (shownPath.current === path) return;
    shownPath.current = path;
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <main id="main" className="shell-main" tabIndex={-1} ref={main}>
      <Outlet />
    </main>
  );
}

/** The navigation of narrow screens. It closes when a page is opened. */
function Drawer({ rights }: { readonly rights: readonly string[] | null }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <Dialog.Trigger className="button button-icon shell-menu" aria-label="Open the navigation">
        <Menu size={20} aria-hidden />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="drawer">
          <Dialog.Title className="visually-hidden">Navigation</Dialog.Title>
          <div className="drawer-head">
            <Brand />
            <Dialog.Close className="button button-icon" aria-label="Close the navigation">
              <X size={20} aria-hidden />
            </Dialog.Close>
          </div>
          <Navigation rights={rights} onOpen={() => setIsOpen(false)} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
