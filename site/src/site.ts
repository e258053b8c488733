// What a page of the documentation does in the browser. Without it everything can be read; only the search is missing.
import { addCopyButtons } from "./copyButtons.ts";
import { addSearch } from "./search.ts";

const WIDE = matchMedia("(min-width: 1024px)");

/** The contents are in sight where there is room for them. */
function openContents(): void {
  const details = document.querySelector<HTMLDetailsElement>(".contents details");
  if (details) details.open = WIDE.matches;
}

openContents();
WIDE.addEventListener("change", openContents);
document.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest" });
addCopyButtons();
addSearch();
