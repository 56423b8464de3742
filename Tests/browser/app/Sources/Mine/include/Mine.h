// A function of the page; see test_app.py.
__attribute__((import_module("mine"), import_name("count"))) int mine_count(int step);
