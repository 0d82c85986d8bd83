import { Outlet } from "@tanstack/react-router";

import { OfflineNotice } from "./offline-notice.tsx";

/** Frame of every page, signed in or not. */
export function Root() {
  return (
    <>
      <OfflineNotice />
      <Outlet />
    </>
  );
}
