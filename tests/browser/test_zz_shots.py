import pytest
from datetime import timedelta
from playwright.sync_api import sync_playwright
from tests.closing_house import house, House, FIRST, TWO
from casino.commands.corrections import correct_entry
from tests.played import MODEL_BACKEND
import os
OUT="/tmp/w/closing-tools/"
def test_shots(house, people, client_of, web_server):
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]="1"
    house.go_to(FIRST)
    for t in ("R-01","R-02","R-03"):
        house.open(t)
    e=house.buy_in("R-01",10_000)
    house.buy_in("R-02",25_000); house.lose("R-02",5_000)
    house.close("R-01",990_000); house.close("R-02",980_000); house.close("R-03",1_000_000)
    house.go_to(FIRST+timedelta(days=1),8); house.read()
    house.count("R-01",FIRST,10_000); house.count("R-03",FIRST,0); house.read()
    house.close_day(FIRST,reason="The count room is under water; R-02 is counted tomorrow.",approval=TWO); house.file()
    house.count("R-02",FIRST,24_000)
    correct_entry(house.order(),"R-01",e,{"amount_cents":9_000},"A hundred too many.",TWO)
    house.read()
    second=FIRST+timedelta(days=1); house.filed(second)
    third=FIRST+timedelta(days=2); house.play(third)
    house.go_to(third+timedelta(days=1),9); house.open("R-01")
    house.read()
    c=client_of("ben"); sid=c.cookies["sessionid"].value
    with sync_playwright() as p:
        b=p.chromium.launch(executable_path="/usr/bin/chromium",args=["--no-sandbox"])
        for w in (1024,1440):
            ctx=b.new_context(base_url=web_server,viewport={"width":w,"height":800}); ctx.add_cookies([{"name":"sessionid","value":sid,"url":web_server}])
            pg=ctx.new_page(); errs=[]; pg.on("console",lambda m:errs.append(m.text) if m.type=="error" else None)
            for name,path in PATHS.items():
                pg.goto(path); pg.screenshot(path=f"{OUT}{w}-{name}.png",full_page=True)
                over=pg.evaluate("document.documentElement.scrollWidth - innerWidth")
                print(w,name,pg.title(),"overflow",over,errs)
            if w==1440:
                pg.goto(f"/close/{FIRST}/print/"); pg.emulate_media(media="print"); pg.pdf(path=OUT+"print.pdf",prefer_css_page_size=True)
PATHS={"close":"/close/","day":f"/close/{FIRST}/","print":f"/close/{FIRST}/print/"}
