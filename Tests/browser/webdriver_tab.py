"""WebKit, driven by WebDriver, on a separate display."""

import contextlib
import itertools
import pathlib
import re
import shutil

import pytest
from pyvirtualdisplay import Display
from selenium import webdriver
from selenium.common.exceptions import (
    InvalidSessionIdException,
    JavascriptException,
    StaleElementReferenceException,
    WebDriverException,
)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.command import Command
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.wait import WebDriverWait
from tab import Leaving, Tab
from urllib3.exceptions import ReadTimeoutError

# Returns an expression's value or error; a promise stays in the page. The driver never answers a
# script if its page is unloaded meanwhile: few scripts await a promise, and an unanswered one is
# sent again. The page keeps the answer, so that it evaluates no expression twice.
EVALUATE = """
  const [args, number] = arguments;
  const evaluate = () => {
    try {
      const value = %s;
      if (typeof value?.then !== "function") return { value };
      globalThis.awaited = value;
      return { isPromise: true };
    } catch (error) {
      return { error: String(error) };
    }
  };
  if (globalThis.answered?.number !== number) globalThis.answered = { number, answer: evaluate() };
  return globalThis.answered.answer;
"""
AWAIT = """
  const [done] = arguments;
  globalThis.awaited.then((value) => done({ value }), (error) => done({ error: String(error) }));
"""

LISTEN = """
  globalThis.isClicked = false;
  arguments[0].addEventListener("click", () => globalThis.isClicked = true, { capture: true });
"""


def named(key):
    """Returns WebDriver's code of a key, such as ARROW_LEFT for ArrowLeft."""
    return key if len(key) == 1 else getattr(Keys, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).upper())


class WebDriverTab(Tab):
    """A window, or a frame in it. Each call first makes it the driver's current window."""

    def __init__(self, browser, window, frames=()):
        super().__init__(browser.name)
        self._browser = browser
        self._driver = browser.driver
        self._window = window
        self._frames = frames

    def goto(self, address):
        self._here().get(address)

    def reload(self):
        self._here().refresh()

    def value(self, expression, *args):
        try:
            answer = self._evaluate(f"({expression})", list(args))
            if "isPromise" in answer:
                answer = self._driver.execute_async_script(AWAIT)
        except JavascriptException as error:
            if "unload" in str(error.msg):
                raise Leaving(f"{self.engine}: {expression}") from None
            raise
        if "error" in answer:
            raise AssertionError(f"{self.engine}: {expression}: {answer['error']}")
        return answer.get("value")

    def click(self, selector):
        self._act(selector, self._click_element)

    def click_twice(self, selector):
        self._act(selector, lambda one: ActionChains(self._driver).double_click(one).perform())

    def come_to_front(self):
        self._here()

    def hover(self, selector):
        self._act(selector, lambda one: ActionChains(self._driver).move_to_element(one).perform())

    def press(self, key):
        self._here()
        ActionChains(self._driver).send_keys(named(key)).perform()

    def type(self, selector, text):
        self.focus(selector)
        ActionChains(self._driver).send_keys(text).perform()

    def frame(self, selector):
        return WebDriverTab(self._browser, self._window, (*self._frames, selector))

    def close(self):
        if self._window in self._driver.window_handles:  # a test may have closed the window
            self._browser.go_to(self._window)
            self._driver.close()
            self._browser.leave()

    def _evaluate(self, expression, args):
        number = next(self._browser.numbers)
        for _ in range(self._browser.ATTEMPTS):
            driver = self._here()
            with contextlib.suppress(ReadTimeoutError), self._browser.impatient():
                return driver.execute_script(EVALUATE % expression, args, number)
            self._browser.leave()
        raise AssertionError(f"{self.engine}: {expression} is not answered")

    def _here(self):
        self._browser.go_to(self._window)
        for selector in self._frames:
            self._browser.leave()
            self._driver.switch_to.frame(self._driver.find_element(By.CSS_SELECTOR, selector))
        return self._driver

    def _click_element(self, element):
        """The driver clicks at the element's former position, which is wrong if the page moves
        meanwhile: then this raises, and the click is repeated. An unloaded page counts as
        clicked."""
        self._driver.execute_script(LISTEN, element)
        element.click()
        if self._driver.execute_script("return globalThis.isClicked") is False:
            raise StaleElementReferenceException("it has moved")

    def _act(self, selector, action):
        """Runs an action on an element when it is clickable."""

        def attempt(driver):
            element = expected_conditions.element_to_be_clickable((By.CSS_SELECTOR, selector))(driver)
            if element:
                action(element)
            return element

        ignored = [StaleElementReferenceException]
        wait = WebDriverWait(self._here(), self.patience, 0.02, ignored_exceptions=ignored)
        wait.until(attempt, f"{self.engine}: {selector} cannot be clicked")


class WebKitDriver(webdriver.WebKitGTK):
    """Raises InvalidSessionIdException if a page's process, and so the session, has ended.

    WebKit's processes occasionally end by themselves: such a test is repeated in another browser.
    """

    def execute(self, driver_command, params=None):
        try:
            return super().execute(driver_command, params)
        except WebDriverException as error:
            if type(error) is WebDriverException:  # the driver has no reason
                super().execute(Command.W3C_GET_WINDOW_HANDLES)
            raise


class WebDriverBrowser:
    """A browser with windows as tabs: the browser slows down hidden tabs."""

    ATTEMPTS = 24  # of one script
    PATIENCE = 5  # seconds per attempt

    def __init__(self, name, start):
        self.name = name
        self._start_driver = start
        self.numbers = itertools.count()  # of the scripts
        self._start()
        self.version = self.driver.capabilities["browserVersion"]

    def _start(self):
        self.driver = self._start_driver()
        self._first = self.driver.current_window_handle  # the driver ends with its last window
        self._window = self._first

    def _is_running(self):
        try:
            return bool(self.driver.window_handles)
        except InvalidSessionIdException:
            return False

    def quit(self):
        with contextlib.suppress(WebDriverException):
            self.driver.quit()

    @contextlib.contextmanager
    def impatient(self):
        """Aborts a command without an answer within some seconds."""
        config = self.driver.command_executor.client_config
        before, config.timeout = config.timeout, self.PATIENCE
        try:
            yield
        finally:
            config.timeout = before

    def go_to(self, window):
        """Makes a window, not a frame in it, the driver's current one."""
        if self._window != window:
            self.driver.switch_to.window(window)
            self._window = window

    def leave(self):
        """Records that the driver's current context is not a whole window any more."""
        self._window = None

    @contextlib.contextmanager
    def profile(self):
        """Yields another browser, with separate storage."""
        browser = WebDriverBrowser(self.name, self._start_driver)
        try:
            yield browser
        finally:
            browser.quit()

    @contextlib.contextmanager
    def tabs(self, website):
        """Yields a function that opens tabs; closes them at the end, and records errors."""
        website.watch()
        if not self._is_running():
            self.quit()
            self._start()
        opened = []

        def open_tab():
            self.go_to(self._first)
            self.driver.switch_to.new_window("window")
            self._window = self.driver.current_window_handle
            opened.append(WebDriverTab(self, self._window))
            return opened[-1]

        yield open_tab
        if self._is_running():
            for tab in opened:
                tab.close()


@contextlib.contextmanager
def webkit():
    driver = shutil.which("WebKitWebDriver")
    found = sorted(pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
    if not (driver and found):
        pytest.fail("webkit is missing: ./build.sh test browser installs it", pytrace=False)
    options = webdriver.WebKitGTKOptions()
    options.binary_location = str(found[-1])
    options.add_argument("--automation")

    def start():
        service = webdriver.WebKitGTKService(executable_path=driver)
        browser = WebKitDriver(options=options, service=service)
        browser.set_script_timeout(120)  # seconds: axe is slow on a busy machine
        return browser

    with Display(visible=False, size=(1280, 1024)):
        browser = WebDriverBrowser("webkit", start)
        yield browser
        browser.quit()
