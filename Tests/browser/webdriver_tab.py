"""WebKit, driven by WebDriver, on a display of its own."""

import contextlib
import pathlib
import re
import shutil

import pytest
from pyvirtualdisplay import Display
from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.wait import WebDriverWait
from tab import Leaving, Tab

# An expression's value, or its error, once it is there.
EVALUATE = """
  const [args, done] = arguments;
  (async () => (%s))().then((value) => done({ value }), (error) => done({ error: String(error) }));
"""


def named(key):
    """WebDriver's code of a key: ARROW_LEFT has one for ArrowLeft."""
    return key if len(key) == 1 else getattr(Keys, re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key).upper())


class WebDriverTab(Tab):
    """A window, or a frame in one. A driver has one window at a time: each call goes to its own."""

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
            answer = self._here().execute_async_script(EVALUATE % expression, list(args))
        except JavascriptException as error:
            if "unload" in str(error.msg):
                raise Leaving(f"{self.engine}: {expression}") from None
            raise
        if "error" in answer:
            raise AssertionError(f"{self.engine}: {expression}: {answer['error']}")
        return answer.get("value")

    def click(self, selector):
        self._act(selector, lambda element: element.click())

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
        if self._window in self._driver.window_handles:  # a test may have closed it
            self._browser.go_to(self._window)
            self._driver.close()
            self._browser.leave()

    def _here(self):
        self._browser.go_to(self._window)
        for selector in self._frames:
            self._browser.leave()
            self._driver.switch_to.frame(self._driver.find_element(By.CSS_SELECTOR, selector))
        return self._driver

    def _act(self, selector, action):
        """Does something with an element once it can be clicked."""

        def attempt(driver):
            element = expected_conditions.element_to_be_clickable((By.CSS_SELECTOR, selector))(driver)
            if element:
                action(element)
            return element

        ignored = [StaleElementReferenceException]
        wait = WebDriverWait(self._here(), self.patience, 0.02, ignored_exceptions=ignored)
        wait.until(attempt, f"{self.engine}: {selector} cannot be clicked")


class WebDriverBrowser:
    """A browser whose tabs are windows: a hidden one would be slowed down."""

    def __init__(self, name, driver):
        self.name = name
        self.version = driver.capabilities["browserVersion"]
        self.driver = driver
        self._first = driver.current_window_handle  # the driver ends with its last window
        self._window = self._first

    def go_to(self, window):
        """Makes a window the driver's, all of it and not a frame, unless it is so already."""
        if self._window != window:
            self.driver.switch_to.window(window)
            self._window = window

    def leave(self):
        """The driver is in no window as a whole any more."""
        self._window = None

    @contextlib.contextmanager
    def tabs(self, website):
        """A function that opens tabs, which are closed at the end. What goes wrong is noted."""
        website.watch()
        opened = []

        def open_tab():
            self.go_to(self._first)
            self.driver.switch_to.new_window("window")
            self._window = self.driver.current_window_handle
            opened.append(WebDriverTab(self, self._window))
            return opened[-1]

        yield open_tab
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
    with Display(visible=False, size=(1280, 1024)):
        service = webdriver.WebKitGTKService(executable_path=driver)
        browser = webdriver.WebKitGTK(options=options, service=service)
        browser.set_script_timeout(120)  # seconds: axe takes long on a busy machine
        yield WebDriverBrowser("webkit", browser)
        browser.quit()
