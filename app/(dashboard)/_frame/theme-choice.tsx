import { getTheme } from "@/app/_shared/display-settings";
import { ButtonForm } from "@/components/ui/button-form";

const THEMES = ["system", "light", "dark"] as const;
const NAMES = { system: "System", light: "Light", dark: "Dark" };

interface Props {
  choose(data: FormData): Promise<void>;
  className?: string;
}

/** The themes as buttons, with the current one pressed. */
export async function ThemeChoice({ choose, className = "" }: Props) {
  const chosen = (await getTheme()) ?? "system";
  return (
    <ButtonForm action={choose} className={className}>
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
    </ButtonForm>
  );
}
