import { getTheme } from "@/app/_shared/display-settings";
import { ActionForm } from "@/components/ui/action-form";
import { chooseTheme } from "./actions";

const THEMES = ["system", "light", "dark"] as const;
const NAMES = { system: "System", light: "Light", dark: "Dark" };

/** The themes as buttons, with the current one pressed. */
export async function ThemeChoice() {
  const chosen = (await getTheme()) ?? "system";
  return (
    <ActionForm action={chooseTheme} className="px-2 pb-1.5" isSmall>
      <fieldset className="pills border-0">
        <legend className="sr-only">Theme</legend>
        {THEMES.map((theme) => (
          <button
            key={theme}
            type="submit"
            name="theme"
            value={theme}
            aria-pressed={theme === chosen}
            className="pill flex-1"
          >
            {NAMES[theme]}
          </button>
        ))}
      </fieldset>
    </ActionForm>
  );
}
