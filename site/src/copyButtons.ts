// A button beside each block of code that copies it.
const SHOWN_MS = 2000;

export function addCopyButtons(): void {
  for (const block of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => void copy(block.textContent.trimEnd(), button));
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

async function copy(text: string, button: HTMLButtonElement): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    // A page without TLS has no clipboard, or may not write to it.
    button.textContent = "Not allowed";
  }
  setTimeout(() => (button.textContent = "Copy"), SHOWN_MS);
}
