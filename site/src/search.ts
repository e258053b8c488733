// The search of the documentation: `/` goes to it, arrows choose, Enter opens, Escape closes.
import type { Passage } from "./passage.ts";
import { createSearchIndex, type Found, type SearchIndex } from "./searchIndex.ts";

const SHOWN = 12;
const EXCERPT = 160;
const LIST = "found";

interface Addresses {
  index: string;
  root: string;
}

export function addSearch(): void {
  const place = document.querySelector("search");
  const script = document.querySelector<HTMLScriptElement>("script[data-index]");
  if (!place || !script) return;
  const { index = "", root = "" } = script.dataset;
  place.innerHTML = `<input type="search" role="combobox" aria-label="Search the documentation" aria-expanded="false"
    aria-controls="${LIST}" aria-autocomplete="list" autocomplete="off" spellcheck="false" placeholder="Search  /">
    <div id="${LIST}" role="listbox" aria-label="Found" hidden></div><p role="status"></p>`;
  place.hidden = false;
  connect(place, { index, root });
}

function connect(place: HTMLElement, { index: indexAddress, root }: Addresses): void {
  const input = place.querySelector("input") as HTMLInputElement;
  const list = place.querySelector(`#${LIST}`) as HTMLElement;
  const status = place.querySelector("[role=status]") as HTMLElement;
  let loading: Promise<SearchIndex> | null = null;
  let chosen = -1;

  const load = () =>
    (loading ??= loadIndex(indexAddress).catch((error: unknown) => {
      // The next letter tries again.
      loading = null;
      throw error;
    }));
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")];
  const choose = (at: number) => {
    const all = options();
    chosen = all.length === 0 ? -1 : (at + all.length) % all.length;
    for (const [each, option] of all.entries()) option.ariaSelected = String(each === chosen);
    input.setAttribute("aria-activedescendant", all[chosen]?.id ?? "");
    all[chosen]?.scrollIntoView({ block: "nearest" });
  };
  const show = (found: readonly Found[]) => {
    list.replaceChildren(...found.map((each, at) => optionOf(each, root, at)));
    list.hidden = found.length === 0;
    input.ariaExpanded = String(found.length > 0);
    choose(0);
  };
  const search = async () => {
    const text = input.value.trim();
    if (text === "") return close();
    try {
      const index = await load();
      if (text !== input.value.trim()) return;
      const found = index.find(text, SHOWN);
      show(found);
      status.textContent = found.length === 0 ? "Nothing found." : "";
    } catch {
      status.textContent = "The search could not be loaded. Type again to try once more.";
    }
  };
  const close = () => {
    show([]);
    status.textContent = "";
  };
  input.addEventListener("focus", () => void load().catch(() => undefined));
  input.addEventListener("input", () => void search());
  input.addEventListener("keydown", (event) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => choose(chosen + 1),
      ArrowUp: () => choose(chosen - 1),
      Enter: () => options()[chosen]?.click(),
      Escape: () => {
        input.value = "";
        close();
      },
    };
    const act = keys[event.key];
    if (!act || event.isComposing) return;
    event.preventDefault();
    act();
  });
  // A link to a place of this page does not load it anew.
  list.addEventListener("click", () => close());
  place.addEventListener("focusout", ({ relatedTarget }) => {
    if (!place.contains(relatedTarget as Node | null)) close();
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

async function loadIndex(address: string): Promise<SearchIndex> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The index was answered with ${response.status}.`);
  return createSearchIndex((await response.json()) as Passage[]);
}

function optionOf({ address, page, heading, text }: Found, root: string, at: number): HTMLElement {
  const option = document.createElement("a");
  option.id = `found-${at}`;
  option.setAttribute("role", "option");
  option.tabIndex = -1;
  option.href = new URL(address, new URL(root, location.href)).href;
  const title = document.createElement("strong");
  title.textContent = heading === "" ? page : `${page} › ${heading}`;
  const excerpt = document.createElement("span");
  excerpt.textContent = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  option.append(title, excerpt);
  return option;
}
