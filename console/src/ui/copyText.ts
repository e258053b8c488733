// Puts a text on the clipboard. Browsers have the Clipboard API only over HTTPS and on this machine itself
// (https://developer.mozilla.org/docs/Web/API/Clipboard); a gateway in an office network is often reached by plain HTTP.

/** `button`: gets the focus back. Resolves with whether the text is on the clipboard. */
export async function copyText(text: string, button: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, button);
  }
}

/** Beside the button, because an open dialog keeps the focus within itself. */
function copySelected(text: string, button: HTMLElement): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "hidden";
  button.after(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  button.focus();
  return isDone;
}
