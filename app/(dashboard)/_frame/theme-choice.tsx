import { getTheme } from "@/app/_shared/display-settings";
import { ActionForm, type FormAction } from "@/components/ui/action-form";

const THEMES = ["system", "light", "dark"] as const;
const NAMES = { system: "System", light: "Light", dark: "Dark" };

interface Props {
  choose: FormAction;
  className?: string;
}

/** The themes as buttons, with the current one pressed. */
export async function ThemeChoice({ choose, className = "" }: Props) {
  const chosen = (await getTheme()) ?? "system";
  return (
    <ActionForm action={choose} className={className} isSmall>
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
