// Calls as they end. The filter is in the address; another filter begins another list.
import { useLocation, useSearch } from "@tanstack/react-router";
import { useSession } from "../../session/SessionProvider.tsx";
import { phoneOf } from "../../data/filterSearch.ts";
import { filterOf } from "./liveFilter.ts";
import { LiveCalls } from "./LiveCalls.tsx";

export function LiveView() {
  const search = useSearch({ from: "/live" });
  const { holds } = useSession();
  const hash = useLocation({ select: ({ hash }) => hash });
  const phone = holds("people:read") ? phoneOf(hash) : null;
  const filter = filterOf(search, phone);
  return <LiveCalls key={JSON.stringify(filter)} filter={filter} search={search} phone={phone} />;
}
